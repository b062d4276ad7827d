// Creating arrays.
#pragma once

#include "cuprum/options.h"

namespace cuprum {

/// Uninitialised elements.
array empty(const shape_type& shape, dtype type = dtype::float64);
/// All zeros.
array zeros(const shape_type& shape, dtype type = dtype::float64);
/// All ones.
array ones(const shape_type& shape, dtype type = dtype::float64);
/// All equal to `value`, with its dtype unless another is given; an array broadcasts to the shape.
array full(const shape_type& shape, const operand& value, std::optional<dtype> type = {});
/// Arrays with the shape, dtype and order of another.
array empty_like(const array& a, const like_options& options = {});
array zeros_like(const array& a, const like_options& options = {});
array ones_like(const array& a, const like_options& options = {});
array full_like(const array& a, const operand& value, const like_options& options = {});
/// start, start + step, ... before stop, as int64.
array integer_range(std::int64_t start, std::int64_t stop, std::int64_t step = 1);
/// NumPy's arange of integers, as int64.
template <class A, class B, class C = int>
requires(std::is_integral_v<A>&& std::is_integral_v<B>&& std::is_integral_v<C>) array
    arange(A start, B stop, C step = 1) {
  return integer_range(static_cast<std::int64_t>(start), static_cast<std::int64_t>(stop),
                       static_cast<std::int64_t>(step));
}
/// 0, 1, ..., stop - 1 as int64.
template <class A>
requires(std::is_integral_v<A>) array arange(A stop) {
  return integer_range(0, static_cast<std::int64_t>(stop));
}
/// 0, 1, ... before stop, as float64.
array arange(double stop);
/// start, start + step, ... before stop, as float64.
array arange(double start, double stop, double step = 1.0);
/// `num` evenly spaced values from start to stop, both included unless `endpoint` is false.
array linspace(double start, double stop, std::int64_t num = 50, bool endpoint = true);
/// `num` values evenly spaced on a logarithmic scale, from base ** start to base ** stop.
array logspace(double start, double stop, std::int64_t num = 50, bool endpoint = true, double base = 10.0);
/// `num` values from start to stop, each the one before it times a constant.
array geomspace(double start, double stop, std::int64_t num = 50, bool endpoint = true);
/// The square matrix of ones on the diagonal.
array identity(std::int64_t n, dtype type = dtype::float64);
/// Ones at and below the k-th diagonal.
array tri(std::int64_t rows, std::int64_t columns = -1, std::int64_t k = 0, dtype type = dtype::float64);
/// Coordinates of a grid: one array for each vector, with a dimension for each. "ij": in the order of the vectors; "xy": the
/// first two exchanged.
std::vector<array> meshgrid(const std::vector<array>& vectors, const std::string& indexing = "xy");
/// Ones on the k-th diagonal, zeros elsewhere.
array eye(std::int64_t rows, std::int64_t columns = -1, std::int64_t k = 0, dtype type = dtype::float64);

}  // namespace cuprum
