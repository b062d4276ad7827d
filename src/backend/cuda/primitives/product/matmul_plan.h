// Which matrices cuBLAS can use where they lie: those whose rows, or columns, are runs without gaps.
#pragma once

#include <algorithm>
#include <optional>

#include "backend/cuda/blas.h"

namespace cuprum::cuda::primitives {

/// The matrix of the last two dimensions of a view.
struct MatrixView {
  std::byte* data;
  std::int64_t rows, cols;
  std::int64_t row_stride, col_stride;  // bytes

  explicit MatrixView(const View& view)
      : data(view.data),
        rows(view.shape[view.shape.size() - 2]),
        cols(view.shape[view.shape.size() - 1]),
        row_stride(view.strides[view.strides.size() - 2]),
        col_stride(view.strides[view.strides.size() - 1]) {}

  MatrixView t() const {
    MatrixView other = *this;
    std::swap(other.rows, other.cols);
    std::swap(other.row_stride, other.col_stride);
    return other;
  }
};

/// Elements from row to row where each row is a run and the next begins behind it.
inline std::optional<std::int64_t> leading_dimension(const MatrixView& m, std::int64_t item) {
  if (m.cols > 1 && m.col_stride != item) return std::nullopt;
  if (m.rows == 1) return std::max<std::int64_t>(m.cols, 1);
  if (m.row_stride % item != 0 || m.row_stride / item < std::max<std::int64_t>(m.cols, 1))
    return std::nullopt;
  return m.row_stride / item;
}

/// The matrix for cuBLAS, or nothing where it has to be copied first. (A single row is a run either way.)
inline std::optional<BlasMatrix> blas_matrix(const MatrixView& m, std::int64_t item) {
  if (const auto ld = leading_dimension(m, item)) return BlasMatrix{m.data, false, *ld};
  if (const auto ld = leading_dimension(m.t(), item)) return BlasMatrix{m.data, true, *ld};
  return std::nullopt;
}

}  // namespace cuprum::cuda::primitives
