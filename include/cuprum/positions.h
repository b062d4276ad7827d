// Indices of diagonals, triangles and grids; coordinates and numbers of elements; values chosen by conditions.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/options.h"

namespace cuprum {

/// Indices of the main diagonal of an array of `ndim` axes of length n: one array per axis.
std::vector<array> diag_indices(std::int64_t n, int ndim = 2);
/// Those of the main diagonal of `a`.
std::vector<array> diag_indices_from(const array& a);
/// Indices of the elements at and below the k-th diagonal of an n x m matrix; without m of a square one.
std::vector<array> tril_indices(std::int64_t n, std::int64_t k = 0,
                                std::optional<std::int64_t> m = std::nullopt);
/// Those of the matrix `a`.
std::vector<array> tril_indices_from(const array& a, std::int64_t k = 0);
/// Indices of the elements at and above the k-th diagonal.
std::vector<array> triu_indices(std::int64_t n, std::int64_t k = 0,
                                std::optional<std::int64_t> m = std::nullopt);
/// Those of the matrix `a`.
std::vector<array> triu_indices_from(const array& a, std::int64_t k = 0);
/// Indices of the elements that a function such as `triu` leaves of an n x n matrix of ones.
std::vector<array> mask_indices(std::int64_t n,
                                const std::function<array(const array&, std::int64_t)>& mask_func,
                                std::int64_t k = 0);

/// The coordinates of every place of a grid: an array whose first axis counts the grid's axes.
array indices(const shape_type& dimensions, dtype type = dtype::int64);
/// The same as one array per axis, each with that axis alone (indices with sparse=True).
std::vector<array> sparse_indices(const shape_type& dimensions, dtype type = dtype::int64);
/// Vectors of indices as an open grid.
std::vector<array> ix_(const std::vector<array>& vectors);
/// What a function of one array per axis gives for the coordinates of a grid: `fromfunction(f, {2, 3})`.
template <class F, std::size_t n>
array fromfunction(F&& function, const std::int64_t (&shape)[n], dtype type = dtype::float64) {
  const array grid = indices(shape_type(shape, shape + n), type);
  return [&]<std::size_t... axis>(std::index_sequence<axis...>) {
    return array(function(array(grid(static_cast<std::int64_t>(axis)))...));
  }
  (std::make_index_sequence<n>());
}

/// The numbers, counted in C or Fortran order, of the elements at these coordinates; outside "raise", "wrap" or "clip".
array ravel_multi_index(const std::vector<array>& multi_index, const shape_type& dims,
                        const std::string& mode = "raise", char order = 'C');
/// The coordinates, one array per axis, of elements numbered in C or Fortran order.
std::vector<array> unravel_index(const array& indices, const shape_type& shape, char order = 'C');

/// For each place the element of the first choice whose condition is true there, else `otherwise`.
array select(const std::vector<array>& conditions, const std::vector<operand>& choices,
             const operand& otherwise = 0);
/// What `piecewise` makes of elements: a number, or what a function gives for them.
class piece {
 public:
  template <class T>
  requires(std::is_arithmetic_v<T>) piece(T number) : number_(number) {}
  template <class F>
  requires(std::is_invocable_r_v<array, F, const array&>) piece(F function)
      : function_(std::move(function)) {}

  const operand& number() const { return number_; }
  const std::function<array(const array&)>& function() const { return function_; }

 private:
  operand number_ = 0;
  std::function<array(const array&)> function_;  // empty: the number
};
/// `x` mapped by the piece of the last condition that is true; one piece more is for the rest.
array piecewise(const array& x, const std::vector<array>& conditions, const std::vector<piece>& pieces);

}  // namespace cuprum
