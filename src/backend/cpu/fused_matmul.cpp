// Three ways, chosen by the shape:
//   direct   few products, on one thread: both operands are read where they lie
//   stream   few rows: b is read once, in the order in which it lies
//   packed   all others: slices of k, of b in panels that all threads share, of a in blocks that stay in a core's second cache
// Neighbours in a row of b are neighbours in memory, or b is packed.
//
// Milliseconds of m rows times 5000 x 5000, Zen 5, one core shared with others, OpenBLAS with registers of 32 bytes:
//           float64, m = 2    8   16   32   64     float32, m = 2    8   16   32   64
//   BLAS               20   21   28   41   67              8.0  8.7   12   18   30
//   stream              7    7    9   15   29              3.2  3.2  4.7  7.9   15
//   packed                        24   28   42                        11   14   20
#include "backend/cpu/fused_matmul.h"

#include <algorithm>
#include <optional>

#include "backend/cpu/blas.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/fused_product.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kFewProducts = 1 << 18;  // multiplications that are not worth a second thread
constexpr std::int64_t kFewRows = 64;
constexpr std::int64_t kStreamDepth = 64;  // rows of b that are read side by side
constexpr std::int64_t kDepth = 384;       // of a slice of k
constexpr std::int64_t kBlockRows = 192;   // of a block of a: 576 KB of float64
constexpr std::int64_t kWidth = 2048;      // columns of b that are packed at a time: 6 MB
constexpr std::int64_t kFewPanels = 4;     // a block that is read as often is read where it lies

class Product {
 public:
  /// Neighbours in a row of `out` are neighbours in memory.
  Product(dtype type, const Matrix& a, const Matrix& b, const Matrix& out)
      : type_(type),
        size_(static_cast<std::int64_t>(itemsize(type))),
        wide_(kTileBytes / size_),
        a_(a),
        b_(b),
        out_(out),
        has_rows_(b.col_stride == size_ || b.cols == 1) {
    symmetric_ = out.rows == out.cols && a.data == b.data && a.row_stride == b.col_stride &&
                 a.col_stride == b.row_stride;
  }

  void run() {
    if (a_.rows * a_.cols * b_.cols <= kFewProducts) {
      direct();
    } else if (a_.rows <= kFewRows && has_rows_) {
      stream();
    } else {
      packed();
    }
  }

 private:
  std::int64_t panels(std::int64_t columns) const { return ceil_div(columns, wide_); }

  /// Columns of the panel that begins at `j`.
  std::int64_t columns_at(std::int64_t j) const { return std::min(wide_, out_.cols - j); }

  /// out[rows of a, from column j on] = or += a @ b, for one panel of b.
  void multiply(const Matrix& a, std::int64_t a_block, const Matrix& b, const Matrix& out, bool adds) const {
    // The next rows of a packed panel, the panels beside one that is read where it lies.
    const std::int64_t ahead = b.row_stride == kTileBytes ? 8 * kTileBytes : 2 * kTileBytes;
    const FusedPanel panel{a.rows, b.cols, a.cols, a.ref(), a_block, b.ref(), out.ref(), ahead, adds};
    CUPRUM_CALL_LEVEL(fused_product(type_, panel));
  }

  void direct() const {
    std::optional<Scratch<std::byte>> copy;
    Matrix b = b_;
    if (!has_rows_) {
      copy.emplace(b.rows * b.cols * size_);
      b = {copy->data(), b.rows, b.cols, b.cols * size_, size_};
      copy_matrix(b_, b);
    }
    for (std::int64_t j = 0; j < out_.cols; j += wide_) {
      const std::int64_t end = j + columns_at(j);
      multiply(a_, kTileRows * a_.row_stride, b.block(0, b.rows, j, end), out_.block(0, out_.rows, j, end),
               false);
    }
  }

  void stream() const {
    const std::int64_t all = panels(out_.cols), part = ceil_div(all, processor_count());
    parallel_for(ceil_div(all, part), [&](std::int64_t chunk) {
      const std::int64_t end = std::min(all, (chunk + 1) * part);
      for (std::int64_t l = 0; l < a_.cols; l += kStreamDepth) {
        const std::int64_t l_end = std::min(a_.cols, l + kStreamDepth);
        for (std::int64_t panel = chunk * part; panel < end; ++panel) {
          const std::int64_t j = panel * wide_, j_end = j + columns_at(j);
          multiply(a_.block(0, a_.rows, l, l_end), kTileRows * a_.row_stride, b_.block(l, l_end, j, j_end),
                   out_.block(0, out_.rows, j, j_end), l > 0);
        }
      }
    });
  }

  void packed() {
    const std::int64_t depth = std::min(kDepth, a_.cols),
                       width = std::min(kWidth / wide_ * wide_, panels(out_.cols) * wide_);
    const Scratch<std::byte> right(depth * width * size_);
    for (std::int64_t j = 0; j < out_.cols; j += width) {
      const std::int64_t j_end = std::min(out_.cols, j + width);
      for (std::int64_t l = 0; l < a_.cols; l += depth) {
        slice(j, j_end, l, std::min(a_.cols, l + depth), right.data());
      }
    }
    if (symmetric_) mirror();
  }

  /// out[:, j:j_end] = or += a[:, l:l_end] @ b[l:l_end, j:j_end]
  void slice(std::int64_t j, std::int64_t j_end, std::int64_t l, std::int64_t l_end, std::byte* right) const {
    const std::int64_t depth = l_end - l, count = panels(j_end - j), panel_bytes = depth * kTileBytes;
    const auto panel = [&](std::int64_t p, std::int64_t columns) {
      return Matrix{right + p * panel_bytes, depth, columns, kTileBytes, size_};
    };
    parallel_for(count, [&](std::int64_t p) {
      const std::int64_t from = j + p * wide_, to = from + columns_at(from);
      copy_matrix(b_.block(l, l_end, from, to), panel(p, to - from));
    });
    const std::int64_t high = block_rows(), down = ceil_div(out_.rows, high);
    // Few rows are shared out by their panels too.
    const std::int64_t across = std::min(count, ceil_div(processor_count(), down)),
                       part = ceil_div(count, across);
    parallel_for(down * across, [&](std::int64_t chunk) {
      const std::int64_t i = chunk / across * high, i_end = std::min(out_.rows, i + high);
      const std::int64_t first = chunk % across * part;
      std::int64_t end = std::min(count, first + part);
      if (symmetric_) end = std::min(end, ceil_div(std::max<std::int64_t>(i_end - j, 0), wide_));
      if (first >= end) return;
      Matrix left = a_.block(i, i_end, l, l_end);
      std::int64_t a_block = kTileRows * a_.row_stride;
      std::optional<Scratch<std::byte>> copy;
      if (end - first > kFewPanels) {
        copy.emplace(ceil_div(left.rows, kTileRows) * kTileRows * depth * size_);
        a_block = kTileRows * depth * size_;
        left = pack_left(left, copy->data());
      }
      for (std::int64_t p = first; p < end; ++p) {
        const std::int64_t from = j + p * wide_, to = from + columns_at(from);
        multiply(left, a_block, panel(p, to - from), out_.block(i, i_end, from, to), l > 0);
      }
    });
  }

  /// Rows of a block: as many blocks as a multiple of the processors, which have the same to do.
  std::int64_t block_rows() const {
    const std::int64_t processors = processor_count(), blocks = ceil_div(out_.rows, kBlockRows);
    const std::int64_t count = ceil_div(blocks, processors) * processors;
    return ceil_div(ceil_div(out_.rows, count), kTileRows) * kTileRows;
  }

  /// Blocks of kTileRows rows, in which the rows of a column are neighbours.
  Matrix pack_left(const Matrix& a, std::byte* to) const {
    const std::int64_t block = kTileRows * a.cols * size_;
    for (std::int64_t i = 0; i < a.rows; i += kTileRows) {
      const std::int64_t end = std::min(a.rows, i + kTileRows);
      copy_matrix(a.block(i, end, 0, a.cols),
                  {to + i / kTileRows * block, end - i, a.cols, size_, kTileRows * size_});
    }
    return {to, a.rows, a.cols, size_, kTileRows * size_};
  }

  void copy_matrix(const Matrix& from, const Matrix& to) const {
    copies().tile(static_cast<int>(size_), {from.rows, from.cols, to.data, to.row_stride, to.col_stride,
                                            from.data, from.row_stride, from.col_stride});
  }

  /// What `slice` leaves out of a symmetric product.
  void mirror() const {
    const std::int64_t high = block_rows();
    parallel_for(ceil_div(out_.rows, high), [&](std::int64_t block) {
      const std::int64_t i = block * high, end = std::min(out_.rows, i + high);
      if (end < out_.rows)
        copy_matrix(out_.block(end, out_.rows, i, end).t(), out_.block(i, end, end, out_.rows));
    });
  }

  dtype type_;
  std::int64_t size_, wide_;  // bytes of an element, columns of a panel
  Matrix a_, b_, out_;
  bool has_rows_, symmetric_;
};

}  // namespace

bool has_fused_matmul(dtype type) {
  return (type == dtype::float32 || type == dtype::float64) && CUPRUM_CALL_LEVEL(has_fused_product());
}

void fused_matmul(dtype type, const Matrix& a, const Matrix& b, const Matrix& out) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(type));
  if (out.col_stride == size || out.cols == 1) return Product(type, a, b, out).run();
  if (out.row_stride == size) return Product(type, b.t(), a.t(), out.t()).run();
  const Scratch<std::byte> result(out.rows * out.cols * size);
  const Matrix plain{result.data(), out.rows, out.cols, out.cols * size, size};
  Product(type, a, b, plain).run();
  copies().tile(static_cast<int>(size), {out.rows, out.cols, out.data, out.row_stride, out.col_stride,
                                         plain.data, plain.row_stride, plain.col_stride});
}

}  // namespace cuprum::cpu
