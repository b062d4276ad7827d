#include "backend/cpu/matrix_vector.h"

#include <algorithm>

#include "backend/cpu/blas.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/evaluator.h"
#include "backend/cpu/fused_matmul.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/matrix_pass.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kFewElements = 1 << 15;  // of the matrix: not worth a second thread
constexpr std::int64_t kLeastRows = 64;         // of a piece that is summed by itself
constexpr std::int64_t kPassRows = 8;           // at a time (simd/matrix_pass.h)

unsigned char* bytes(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }

std::int64_t step_of(const Matrix& line) { return line.cols == 1 ? line.row_stride : line.col_stride; }

bool is_few(const Matrix& m) { return m.rows * m.cols <= kFewElements; }

/// Numbers [begin, end) of a vector side by side: where they lie, or a copy. A thread copies what it needs itself: lines that another
/// core has just written would come one at a time, as the rows do (21 us of a product of 80, 1800 x 700 on two threads).
class Line {
 public:
  Line(std::int64_t size, const Matrix& vector, std::int64_t begin, std::int64_t end)
      : data_(vector.data + begin * step_of(vector)) {
    const std::int64_t n = end - begin;
    if (step_of(vector) == size || n <= 1) return;
    copy_.emplace(n * size);
    std::byte* const to = copy_->data();
    copies().tile(static_cast<int>(size), {1, n, to, n * size, size, data_, 0, step_of(vector)});
    data_ = to;
  }
  unsigned char* data() const { return bytes(data_); }

 private:
  std::optional<Scratch<std::byte>> copy_;
  std::byte* data_;
};

/// The sums of vector @ matrix: of pieces of the rows, by the shape and the machine's processors, and added up in their order.
class Sums {
 public:
  explicit Sums(const MatrixVector& p)
      : product_(p), size_(static_cast<std::int64_t>(itemsize(p.type))), line_(p.matrix.cols * size_) {
    const std::int64_t rows = p.matrix.rows;
    pieces = is_few(p.matrix) ? 1 : std::clamp<std::int64_t>(rows / kLeastRows, 1, processor_count());
    high = ceil_div(rows, pieces);
    const bool in_place = pieces == 1 && step_of(p.out) == size_;
    if (!in_place) parts_.emplace(pieces * line_);
    to_ = in_place ? p.out.data : parts_->data();
  }

  std::int64_t pieces, high;  // rows of a piece; the last may have fewer

  unsigned char* of(std::int64_t piece) const { return bytes(to_ + piece * line_); }

  void finish() const {
    if (!parts_) return;
    const LoopFn add = loops().loop[static_cast<int>(Op::add)][static_cast<int>(product_.type)];
    for (std::int64_t p = 1; p < pieces; ++p) add(product_.matrix.cols, to_, to_, to_ + p * line_, nullptr);
    copies().tile(static_cast<int>(size_),
                  {1, product_.matrix.cols, product_.out.data, 0, step_of(product_.out), to_, 0, size_});
  }

 private:
  const MatrixVector& product_;
  std::int64_t size_, line_;
  std::optional<Scratch<std::byte>> parts_;
  std::byte* to_;
};

/// A pass over rows [i, end) that has nothing to compute yet.
MatrixPass pass_over(const Matrix& m, std::int64_t i, std::int64_t end) {
  MatrixPass pass{};
  pass.rows = end - i;
  pass.columns = m.cols;
  pass.matrix = bytes(m.data + i * m.row_stride);
  pass.row = m.row_stride;
  return pass;
}

void set_dots(MatrixPass& pass, const MatrixVector& p, const unsigned char* right, std::int64_t i) {
  pass.right = right;
  pass.dots_step = step_of(p.out);
  pass.dots = bytes(p.out.data + i * pass.dots_step);
}

void from_right(const MatrixVector& p) {
  const Matrix& m = p.matrix;
  const Line right(static_cast<std::int64_t>(itemsize(p.type)), p.vector, 0, m.cols);
  const std::int64_t parts = is_few(m) ? 1 : 2 * processor_count();
  const std::int64_t high = ceil_div(ceil_div(m.rows, parts), kPassRows) * kPassRows;
  parallel_for(ceil_div(m.rows, high), [&](std::int64_t part) {
    MatrixPass pass = pass_over(m, part * high, std::min(m.rows, (part + 1) * high));
    set_dots(pass, p, right.data(), part * high);
    CUPRUM_CALL_LEVEL(matrix_pass(p.type, pass));
  });
}

/// The kernel of rows [begin, end) alone, which it stores at `to`.
Kernel rows_of(const Kernel& maker, const Matrix& m, std::int64_t begin, std::int64_t end, std::byte* to) {
  Kernel rows = maker;
  const std::int64_t unit = maker.shape.size() == 1 ? m.cols : 1;  // in steps of its first dimension
  rows.shape[0] = (end - begin) * unit;
  for (Leaf& leaf : rows.leaves) leaf.data = leaf.data + begin * unit * leaf.strides[0];
  rows.stores[0].data = to;
  return rows;
}

/// The same of a matrix that is made: some rows at a time, which are in the core's cache when they are read.
void from_right_making(const MatrixVector& p, const Kernel& maker) {
  // 1.5 * A @ x of 4000 x 4000 float64, one thread: rows of 32 KB 9.6 ms, of 128 KB 7.9, 256 7.6, 512 7.2. Others want the cache too.
  constexpr std::int64_t kMadeBytes = 256 << 10;
  const Matrix& m = p.matrix;
  const Line right(static_cast<std::int64_t>(itemsize(p.type)), p.vector, 0, m.cols);
  const std::int64_t high = std::max<std::int64_t>(kMadeBytes / m.row_stride / kPassRows, 1) * kPassRows;
  parallel_for(ceil_div(m.rows, high), [&](std::int64_t part) {
    const std::int64_t i = part * high, end = std::min(m.rows, i + high);
    const Scratch<std::byte> made((end - i) * m.row_stride);
    run_elementwise(rows_of(maker, m, i, end, made.data()));
    MatrixPass pass = pass_over({made.data(), end - i, m.cols, m.row_stride, m.col_stride}, 0, end - i);
    set_dots(pass, p, right.data(), i);
    CUPRUM_CALL_LEVEL(matrix_pass(p.type, pass));
  });
}

void from_left(const MatrixVector& p) {
  const Matrix& m = p.matrix;
  const std::int64_t size = static_cast<std::int64_t>(itemsize(p.type));
  const Sums sums(p);
  // Few rows are shared out by their columns too.
  const std::int64_t across = is_few(m) ? 1 : ceil_div(processor_count(), sums.pieces);
  const std::int64_t wide = ceil_div(ceil_div(m.cols * size, across), 1024) * 1024 / size;
  const std::int64_t strips = ceil_div(m.cols, wide);
  parallel_for(sums.pieces * strips, [&](std::int64_t chunk) {
    const std::int64_t piece = chunk / strips, i = piece * sums.high, end = std::min(m.rows, i + sums.high);
    const std::int64_t j = chunk % strips * wide;
    const Line left(size, p.vector, i, end);
    MatrixPass pass = pass_over(m.block(0, m.rows, j, std::min(m.cols, j + wide)), i, end);
    pass.left = left.data();
    pass.sums = sums.of(piece) + j * size;
    CUPRUM_CALL_LEVEL(matrix_pass(p.type, pass));
  });
  sums.finish();
}

bool same_matrix(const Matrix& a, const Matrix& b) {
  return a.data == b.data && a.rows == b.rows && a.cols == b.cols && a.row_stride == b.row_stride;
}

/// Two products that wait for nothing of each other.
void side_by_side(const MatrixVector& right, const MatrixVector& left) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(right.type));
  const Line x(size, right.vector, 0, right.matrix.cols);
  const Sums sums(left);
  parallel_for(sums.pieces, [&](std::int64_t piece) {
    const std::int64_t i = piece * sums.high, end = std::min(right.matrix.rows, i + sums.high);
    const Line y(size, left.vector, i, end);
    MatrixPass pass = pass_over(right.matrix, i, end);
    set_dots(pass, right, x.data(), i);
    pass.left = y.data();
    pass.sums = sums.of(piece);
    CUPRUM_CALL_LEVEL(matrix_pass(right.type, pass));
  });
  sums.finish();
}

/// (matrix @ x) @ matrix: a few rows have their dots, and are still in the cache when these are their factors.
void one_by_the_other(const MatrixVector& right, const MatrixVector& left) {
  const Line x(static_cast<std::int64_t>(itemsize(right.type)), right.vector, 0, right.matrix.cols);
  const Sums sums(left);
  parallel_for(sums.pieces, [&](std::int64_t piece) {
    const std::int64_t begin = piece * sums.high, end = std::min(right.matrix.rows, begin + sums.high);
    for (std::int64_t i = begin; i < end; i += kPassRows) {
      MatrixPass dots = pass_over(right.matrix, i, std::min(end, i + kPassRows)), factors = dots;
      set_dots(dots, right, x.data(), i);
      factors.left = dots.dots;
      factors.sums = sums.of(piece);
      factors.adds = i > begin;
      CUPRUM_CALL_LEVEL(matrix_pass(right.type, dots));
      CUPRUM_CALL_LEVEL(matrix_pass(right.type, factors));
    }
  });
  sums.finish();
}

}  // namespace

std::optional<MatrixVector> as_matrix_vector(dtype type, const Matrix& a, const Matrix& b,
                                             const Matrix& out) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(type));
  if (!has_fused_matmul(type) || (out.rows == 1) == (out.cols == 1)) return std::nullopt;
  const bool column = out.cols == 1;
  const Matrix& matrix = column ? a : b;
  const Matrix& vector = column ? b : a;
  if (matrix.col_stride == size) return MatrixVector{type, column, matrix, vector, out};
  if (matrix.row_stride == size) return MatrixVector{type, !column, matrix.t(), vector, out};
  return std::nullopt;
}

void matrix_vector(const MatrixVector& product, const Kernel* maker) {
  if (maker) return from_right_making(product, *maker);
  product.from_right ? from_right(product) : from_left(product);
}

bool matrix_vectors(const MatrixVector& first, const MatrixVector& second) {
  if (first.type != second.type || first.from_right == second.from_right) return false;
  if (!same_matrix(first.matrix, second.matrix) || is_few(first.matrix)) return false;
  const MatrixVector& right = first.from_right ? first : second;
  const MatrixVector& left = first.from_right ? second : first;
  // Few rows would be shared out by their columns, which cuts the dots.
  if (left.matrix.rows < kLeastRows * processor_count()) return false;
  if (second.vector.data != first.out.data) {
    side_by_side(right, left);
    return true;
  }
  const auto size = static_cast<std::int64_t>(itemsize(right.type));
  if (second.from_right || step_of(right.out) != size || step_of(left.vector) != size) return false;
  one_by_the_other(right, left);
  return true;
}

}  // namespace cuprum::cpu
