#include "backend/cpu/matrix_vector.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "backend/cpu/blas.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/fused_matmul.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/matrix_pass.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kFewElements = 1 << 15;  // of the matrix: not worth a second thread
constexpr std::int64_t kLeastRows = 64;         // of a piece that is summed by itself

unsigned char* bytes(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }

/// Numbers side by side: where they lie, or a copy.
class Line {
 public:
  /// A matrix of one row or one column.
  Line(std::int64_t size, const Matrix& m) : data_(m.data) {
    const std::int64_t n = m.rows * m.cols, step = m.cols == 1 ? m.row_stride : m.col_stride;
    if (step == size || n == 1) return;
    copy_.emplace(n * size);
    data_ = copy_->data();
    copies().tile(static_cast<int>(size), {1, n, data_, n * size, size, m.data, 0, step});
  }
  const unsigned char* data() const { return bytes(data_); }

 private:
  std::optional<Scratch<std::byte>> copy_;
  std::byte* data_;
};

bool has_rows(const Matrix& m, std::int64_t size) { return m.col_stride == size; }

/// dots = m @ x, of shape (rows, 1).
void from_right(dtype type, std::int64_t size, const Matrix& m, const Matrix& x, const Matrix& dots) {
  const Line right(size, x);
  const std::int64_t parts = m.rows * m.cols <= kFewElements ? 1 : 2 * processor_count();
  const std::int64_t high = ceil_div(ceil_div(m.rows, parts), 8) * 8;
  parallel_for(ceil_div(m.rows, high), [&](std::int64_t chunk) {
    const std::int64_t i = chunk * high, end = std::min(m.rows, i + high);
    const MatrixPass pass{end - i,
                          m.cols,
                          bytes(m.data + i * m.row_stride),
                          m.row_stride,
                          right.data(),
                          bytes(dots.data + i * dots.row_stride),
                          dots.row_stride,
                          nullptr,
                          nullptr,
                          false};
    CUPRUM_CALL_LEVEL(matrix_pass(type, pass));
  });
}

/// sums = y @ m, of shape (1, columns): the sums of pieces of the rows, added up in order.
void from_left(dtype type, std::int64_t size, const Matrix& y, const Matrix& m, const Matrix& sums) {
  const Line left(size, y);
  const bool few = m.rows * m.cols <= kFewElements;
  const std::int64_t pieces = few ? 1 : std::clamp<std::int64_t>(m.rows / kLeastRows, 1, processor_count());
  const std::int64_t across = few ? 1 : ceil_div(processor_count(), pieces);
  const std::int64_t high = ceil_div(m.rows, pieces), line = m.cols * size;
  const std::int64_t wide = ceil_div(ceil_div(line, across), 1024) * 1024 / size;
  const bool in_place = pieces == 1 && has_rows(sums, size);
  std::optional<Scratch<std::byte>> parts;
  if (!in_place) parts.emplace(pieces * line);
  std::byte* const to = in_place ? sums.data : parts->data();
  const std::int64_t strips = ceil_div(m.cols, wide);
  parallel_for(pieces * strips, [&](std::int64_t chunk) {
    const std::int64_t piece = chunk / strips, i = piece * high, end = std::min(m.rows, i + high);
    const std::int64_t j = chunk % strips * wide, j_end = std::min(m.cols, j + wide);
    const MatrixPass pass{std::max<std::int64_t>(end - i, 0),
                          j_end - j,
                          bytes(m.data + i * m.row_stride + j * size),
                          m.row_stride,
                          nullptr,
                          nullptr,
                          0,
                          left.data() + i * size,
                          bytes(to + piece * line + j * size),
                          false};
    CUPRUM_CALL_LEVEL(matrix_pass(type, pass));
  });
  if (in_place) return;
  const LoopFn add = loops().loop[static_cast<int>(Op::add)][static_cast<int>(type)];
  for (std::int64_t p = 1; p < pieces; ++p) add(m.cols, to, to, to + p * line, nullptr);
  copies().tile(static_cast<int>(size), {1, m.cols, sums.data, 0, sums.col_stride, to, 0, size});
}

}  // namespace

bool is_matrix_vector(dtype type, const Matrix& a, const Matrix& b, const Matrix& out) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(type));
  if (!has_fused_matmul(type) || (out.rows == 1) == (out.cols == 1)) return false;
  const Matrix& m = out.rows == 1 ? b : a;
  return has_rows(m, size) || has_rows(m.t(), size);
}

void matrix_vector(dtype type, const Matrix& a, const Matrix& b, const Matrix& out) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(type));
  if (out.cols == 1) {
    if (has_rows(a, size)) return from_right(type, size, a, b, out);
    return from_left(type, size, b.t(), a.t(), out.t());
  }
  if (has_rows(b, size)) return from_left(type, size, a, b, out);
  return from_right(type, size, b.t(), a.t(), out.t());
}

}  // namespace cuprum::cpu
