// Indices of diagonals, triangles and grids, and the two ways to say where an element is: coordinates or a number.
// int64 throughout; several of them are one array per axis.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/array.h"
#include "ops/search.h"

namespace cuprum::ops {

/// Of the main diagonal of an array of that shape: two dimensions or more of one length.
std::vector<Array> diag_indices_from(const Dims& shape, Backend& backend);

/// Of the elements at and below, or at and above, the k-th diagonal of a matrix; negative lengths count as none.
std::vector<Array> tril_indices(std::int64_t rows, std::int64_t k, std::int64_t columns, Backend& backend);
std::vector<Array> triu_indices(std::int64_t rows, std::int64_t k, std::int64_t columns, Backend& backend);
/// The same for an array of that shape, which must have two dimensions.
std::vector<Array> tril_indices_from(const Dims& shape, std::int64_t k, Backend& backend);
std::vector<Array> triu_indices_from(const Dims& shape, std::int64_t k, Backend& backend);

/// The coordinates of every place of a grid: one array whose first axis counts the axes of the grid; or one array per axis,
/// each with that axis alone.
Array indices(const Dims& dimensions, dtype type, Backend& backend);
std::vector<Array> sparse_indices(const Dims& dimensions, dtype type, Backend& backend);

/// Vectors of indices, or of bools, as an open grid: where the rows and the columns cross.
std::vector<Array> ix_(std::span<const Array> vectors);

/// The numbers, counted in C or Fortran order, of elements at the given coordinates. `modes` has one for each axis; `backend` is
/// where the coordinates are.
Array ravel_multi_index(std::span<const Array> multi_index, const Dims& dims, std::span<const Bounds> modes,
                        char order, Backend& backend);

/// The coordinates of elements that are numbered in C or Fortran order. Waits for the device: numbers out of bounds throw.
std::vector<Array> unravel_index(const Array& indices, const Dims& shape, char order = 'C');

}  // namespace cuprum::ops
