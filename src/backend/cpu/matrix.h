// A matrix of a batch, and how a batch is walked.
#pragma once

#include "backend/cpu/simd/product.h"
#include "core/integers.h"
#include "runtime/program.h"

namespace cuprum::cpu {

/// Strides in bytes.
struct Matrix {
  std::byte* data;
  std::int64_t rows, cols, row_stride, col_stride;

  Matrix block(std::int64_t row, std::int64_t row_end, std::int64_t col, std::int64_t col_end) const {
    return {data + row * row_stride + col * col_stride, row_end - row, col_end - col, row_stride, col_stride};
  }
  Matrix t() const { return {data, cols, rows, col_stride, row_stride}; }
  MatrixRef ref() const { return {reinterpret_cast<unsigned char*>(data), row_stride, col_stride}; }
};

/// The matrix of the last two dimensions of `view`, at `data`.
inline Matrix last_matrix(const View& view, std::byte* data) {
  const std::size_t d = view.shape.size() - 2;
  return {data, view.shape[d], view.shape[d + 1], view.strides[d], view.strides[d + 1]};
}

}  // namespace cuprum::cpu
