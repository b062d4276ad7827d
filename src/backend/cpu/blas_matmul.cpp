// One matrix product on BLAS, cut by its shape:
//   pieces of k   where the result is small and k long, and of a vector with a matrix in whose lines k does not run; the
//                 pieces run in parallel and are added up in order
//   triangle      a @ a.T: the tiles on and below the diagonal, mirrored: symmetric to the last bit
//   tiles         all others; a product with a vector is a column of tiles and takes gemv, one of two vectors dot
// Operands whose rows or columns lie in memory without gaps are used where they lie; others are packed first.
#include "backend/cpu/blas_matmul.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "backend/cpu/blas.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kSmallProduct = 1 << 18;  // multiplications that are not worth a second thread
constexpr std::int64_t kPiece = 1 << 14;         // of k
constexpr std::int64_t kLeastTile = 1 << 21;     // multiplications of a tile, a tenth of a millisecond
constexpr std::int64_t kLeastSide = 64;          // of a tile
constexpr std::int64_t kHighBand = 512;  // rows of a band that hide what packing the right operand takes

struct Range {
  std::int64_t begin, end;
  int size() const { return static_cast<int>(end - begin); }
};

/// Rows without gaps, each behind the one before.
bool has_plain_rows(const Matrix& m, std::int64_t size) {
  const std::int64_t align = size == 16 ? 8 : 4;  // of the real numbers
  if (reinterpret_cast<std::uintptr_t>(m.data) % align != 0 || (m.cols > 1 && m.col_stride != size))
    return false;
  const std::int64_t ld = m.row_stride / size;
  return m.rows == 1 || (m.row_stride % size == 0 && ld >= m.cols && ld <= kMaxBlas);
}

BlasMatrix plain(const Matrix& m, std::int64_t size, bool transposed) {
  return {m.data, transposed, static_cast<int>(m.rows == 1 ? m.cols : m.row_stride / size)};
}

/// A matrix that BLAS can use.
class BlasOperand {
 public:
  BlasOperand(dtype type, const Matrix& m) : size_(static_cast<std::int64_t>(itemsize(type))) {
    if (has_plain_rows(m, size_)) {
      matrix_ = plain(m, size_, false);
    } else if (has_plain_rows(m.t(), size_)) {
      matrix_ = plain(m.t(), size_, true);
    } else {
      packed_.emplace(m.rows * m.cols * size_);
      const Matrix to{packed_->data(), m.rows, m.cols, m.cols * size_, size_};
      copies().tile(static_cast<int>(size_),
                    {m.rows, m.cols, to.data, to.row_stride, size_, m.data, m.row_stride, m.col_stride});
      matrix_ = plain(to, size_, false);
    }
  }

  /// The part that begins at this element.
  BlasMatrix from(std::int64_t row, std::int64_t col) const {
    if (matrix_.transposed) std::swap(row, col);
    return {matrix_.data + (row * matrix_.ld + col) * size_, matrix_.transposed, matrix_.ld};
  }
  /// Elements from row to row, from column to column.
  int row_step() const { return matrix_.transposed ? 1 : matrix_.ld; }
  int col_step() const { return matrix_.transposed ? matrix_.ld : 1; }

 private:
  std::int64_t size_;
  std::optional<Scratch<std::byte>> packed_;
  BlasMatrix matrix_;
};

class BlasProduct {
 public:
  /// `out` has plain rows.
  BlasProduct(dtype type, const Matrix& a, const Matrix& b, const Matrix& out)
      : type_(type),
        size_(static_cast<std::int64_t>(itemsize(type))),
        a_(type, a),
        b_(type, b),
        out_(plain(out, size_, false)),
        m_(out.rows),
        n_(out.cols),
        k_(a.cols) {
    symmetric_ = m_ == n_ && m_ > 1 && k_ > 1 && a.data == b.data && a.row_stride == b.col_stride &&
                 a.col_stride == b.row_stride;
  }

  void run() {
    if (k_ >= 2 * kPiece && m_ * n_ <= kPiece) {
      pieces(kPiece);
    } else if (crosses_lines() && k_ >= m_ * n_ && k_ * m_ * n_ > kSmallProduct) {
      pieces(even_part(k_, std::max(kLeastSide, ceil_div(k_, processor_count())), 16));
    } else if (symmetric_) {
      triangle();
    } else {
      tiles();
    }
  }

 private:
  /// `to` = a[rows, depth] @ b[depth, cols].
  void multiply(Range rows, Range cols, Range depth, BlasMatrix to) const {
    const BlasMatrix a = a_.from(rows.begin, depth.begin), b = b_.from(depth.begin, cols.begin);
    if (cols.size() == 1 && rows.size() == 1) {
      blas_dot(type_, depth.size(), a.data, a_.col_step(), b.data, b_.row_step(), to.data);
    } else if (cols.size() == 1) {
      clear_column(to, rows.size(), to.ld);
      blas_gemv(type_, rows.size(), depth.size(), a, b.data, b_.row_step(), to.data, to.ld);
    } else if (rows.size() == 1) {
      clear_column(to, cols.size(), 1);
      const BlasMatrix b_t{b.data, !b.transposed, b.ld};
      blas_gemv(type_, cols.size(), depth.size(), b_t, a.data, a_.col_step(), to.data, 1);
    } else {
      blas_gemm(type_, rows.size(), cols.size(), depth.size(), a, b, to);
    }
  }

  /// Some versions of gemv multiply what stands in the result by zero: a NaN there would stay.
  void clear_column(BlasMatrix to, std::int64_t n, std::int64_t step) const {
    for (std::int64_t i = 0; i < n; ++i) std::memset(to.data + i * step * size_, 0, size_);
  }

  BlasMatrix out_from(std::int64_t row, std::int64_t col) const {
    return {out_.data + (row * out_.ld + col) * size_, false, out_.ld};
  }

  /// Is it a vector times a matrix in which k runs from line to line?
  bool crosses_lines() const {
    return (m_ == 1 && n_ > 1 && b_.col_step() == 1) || (n_ == 1 && m_ > 1 && a_.row_step() == 1);
  }

  void pieces(std::int64_t length) const {
    const std::int64_t count = ceil_div(k_, length), bytes = m_ * n_ * size_;
    const Scratch<std::byte> parts(count * bytes);
    parallel_for(std::min(count, kMaxBlasCallers), [&](std::int64_t first) {
      for (std::int64_t p = first; p < count; p += kMaxBlasCallers) {
        multiply({0, m_}, {0, n_}, {p * length, std::min(k_, (p + 1) * length)},
                 {parts.data() + p * bytes, false, static_cast<int>(n_)});
      }
    });
    const LoopFn add = loops().loop[static_cast<int>(Op::add)][static_cast<int>(type_)];
    for (std::int64_t p = 1; p < count; ++p)
      add(m_ * n_, parts.data(), parts.data(), parts.data() + p * bytes, nullptr);
    for (std::int64_t i = 0; i < m_; ++i) {
      std::memcpy(out_from(i, 0).data, parts.data() + i * n_ * size_, n_ * size_);
    }
  }

  /// Calls f(rows, cols) for every tile, at most kMaxBlasCallers at a time.
  template <class F>
  void each_tile(F&& f) const {
    const std::pair<std::int64_t, std::int64_t> shape = tile_shape();
    const std::int64_t height = shape.first, width = shape.second;
    const std::int64_t across = ceil_div(n_, width), count = ceil_div(m_, height) * across;
    parallel_for(std::min(count, kMaxBlasCallers), [&](std::int64_t first) {
      for (std::int64_t tile = first; tile < count; tile += kMaxBlasCallers) {
        const std::int64_t i = tile / across * height, j = tile % across * width;
        f(Range{i, std::min(m_, i + height)}, Range{j, std::min(n_, j + width)});
      }
    });
  }

  std::pair<std::int64_t, std::int64_t> tile_shape() const {
    if (m_ * n_ * k_ <= kSmallProduct) return {m_, n_};
    if (m_ == 1 || n_ == 1) {
      // Cut across its lines, a matrix is read in runs: of 2000 x 2000 float64 those of 1 KiB took 2.7 ms on one core, those of
      // 8 KiB take 1.5.
      const bool across = crosses_lines();
      const std::int64_t least = std::max<std::int64_t>(across ? 256 : 64, ceil_div(kSmallProduct / 2, k_));
      const std::int64_t n = m_ * n_, length = std::max(least, ceil_div(n, processor_count()));
      const std::int64_t part = parts_of(n, length, across ? 8192 : least, 16);
      return {m_ == 1 ? 1 : part, n_ == 1 ? 1 : part};
    }
    return symmetric_ ? square() : band();
  }

  /// Every tile packs its operands anew, the right one in full: bands as wide as the result, one for each processor, or
  /// two, which evens out their speeds, where these are high. (float64, one thread: 600 x 600 in four bands takes 3 %
  /// more than at once, in nine squares 10 %; 1000 x 1000: 4 % and 9 %. float32, two threads: 2000 x 2000 in two
  /// bands takes 76.0 ms, in four 78.2.)
  std::pair<std::int64_t, std::int64_t> band() const {
    const std::int64_t processors = processor_count(), work = m_ * n_ * k_;
    const std::int64_t wanted = m_ < 2 * processors * kHighBand ? processors : 2 * processors;
    const std::int64_t count = std::clamp<std::int64_t>(work / kLeastTile, 1, wanted);
    const std::int64_t down = std::clamp<std::int64_t>(m_ / kLeastSide, 1, count);
    const std::int64_t across = std::clamp<std::int64_t>(n_ / kLeastSide, 1, ceil_div(count, down));
    return {parts_of(m_, ceil_div(m_, down), 1024, 8), parts_of(n_, ceil_div(n_, across), 4096, 16)};
  }

  /// A line of n elements is cut into equal parts of `length`. Where these are longer than `most`, there are as many parts
  /// as processors, or a multiple, so that all have the same to do.
  static std::int64_t parts_of(std::int64_t n, std::int64_t length, std::int64_t most, std::int64_t unit) {
    const std::int64_t processors = processor_count();
    if (length > most) length = ceil_div(n, ceil_div(ceil_div(n, most), processors) * processors);
    return even_part(n, length, unit);
  }

  /// Of a triangle: tiles that are no squares would leave gaps.
  std::pair<std::int64_t, std::int64_t> square() const {
    std::int64_t side = 512;
    while (side > 64 && ceil_div(m_, side) * ceil_div(m_, side) < 8) side /= 2;
    side = even_part(m_, side, 16);
    return {side, side};
  }

  /// Cuts n into equal parts of about `length`, multiples of `unit`.
  static std::int64_t even_part(std::int64_t n, std::int64_t length, std::int64_t unit) {
    const std::int64_t part = ceil_div(n, ceil_div(n, length));
    return ceil_div(part, unit) * unit;
  }

  void tiles() const {
    each_tile([&](Range rows, Range cols) {
      multiply(rows, cols, {0, k_}, out_from(rows.begin, cols.begin));
    });
  }

  void triangle() const {
    each_tile([&](Range rows, Range cols) {
      const BlasMatrix to = out_from(rows.begin, cols.begin);
      if (cols.begin < rows.begin) {
        multiply(rows, cols, {0, k_}, to);
        mirror(rows, cols);
      } else if (cols.begin == rows.begin) {
        blas_syrk(type_, rows.size(), static_cast<int>(k_), a_.from(rows.begin, 0), to);
        for (std::int64_t i = rows.begin; i < rows.end; ++i) mirror({i, i + 1}, {cols.begin, i});
      }
    });
  }

  /// out[cols, rows] = out[rows, cols].T
  void mirror(Range rows, Range cols) const {
    const std::int64_t row = out_.ld * size_;
    copies().tile(static_cast<int>(size_), {rows.size(), cols.size(), out_from(cols.begin, rows.begin).data,
                                            size_, row, out_from(rows.begin, cols.begin).data, row, size_});
  }

  dtype type_;
  std::int64_t size_;
  BlasOperand a_, b_;
  BlasMatrix out_;
  std::int64_t m_, n_, k_;
  bool symmetric_;
};

}  // namespace

void blas_matmul(dtype type, const Matrix& a, const Matrix& b, const Matrix& out) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(type));
  if (has_plain_rows(out, size)) return BlasProduct(type, a, b, out).run();
  if (has_plain_rows(out.t(), size)) return BlasProduct(type, b.t(), a.t(), out.t()).run();
  const Scratch<std::byte> result(out.rows * out.cols * size);
  const Matrix plain_out{result.data(), out.rows, out.cols, out.cols * size, size};
  BlasProduct(type, a, b, plain_out).run();
  copies().tile(static_cast<int>(size), {out.rows, out.cols, out.data, out.row_stride, out.col_stride,
                                         result.data(), out.cols * size, size});
}

}  // namespace cuprum::cpu
