// Rearranging arrays: views where NumPy gives views, else copies.
#pragma once

#include "cuprum/options.h"

namespace cuprum {

/// Another shape; one extent may be -1.
array reshape(const array& a, const shape_type& shape);
/// One dimension, C order.
array ravel(const array& a);
/// Dimensions reversed, or in the order of `axes`.
array transpose(const array& a, const axes_type& axes = {});
/// The last two axes exchanged.
array matrix_transpose(const array& a);
/// Two axes exchanged.
array swapaxes(const array& a, std::int64_t axis1, std::int64_t axis2);
/// Axes moved to other positions.
array moveaxis(const array& a, std::int64_t source, std::int64_t destination);
/// Without its dimensions of length 1, or without those of `axes`.
array squeeze(const array& a, const axes_type& axes = {});
/// With a new dimension of length 1.
array expand_dims(const array& a, std::int64_t axis);
/// A read-only view with the broadcast shape.
array broadcast_to(const array& a, const shape_type& shape);
/// Order reversed along `axes` (all when empty).
array flip(const array& a, const axes_type& axes = {});
/// Elements moved along an axis; those that leave at the end come in at the start.
array roll(const array& a, std::int64_t shift, std::int64_t axis);
/// Every element of the axis repeated.
array repeat(const array& a, std::int64_t repeats, std::int64_t axis);
/// Arrays one after the other along an existing axis.
array concatenate(const std::vector<array>& arrays, std::int64_t axis = 0);
/// Arrays along a new axis.
array stack(const std::vector<array>& arrays, std::int64_t axis = 0);
/// Parts between the given positions of the axis, as views.
std::vector<array> split(const array& a, const std::vector<std::int64_t>& positions, std::int64_t axis = 0);
/// So many equal parts of the axis, as views.
std::vector<array> split(const array& a, std::int64_t sections, std::int64_t axis = 0);
/// Equal parts, or parts between positions, of the second axis, of a vector of its only one.
std::vector<array> hsplit(const array& a, std::int64_t sections);
std::vector<array> hsplit(const array& a, const std::vector<std::int64_t>& positions);
/// The same of the first axis of two or more dimensions.
std::vector<array> vsplit(const array& a, std::int64_t sections);
std::vector<array> vsplit(const array& a, const std::vector<std::int64_t>& positions);
/// The same of the third axis.
std::vector<array> dsplit(const array& a, std::int64_t sections);
std::vector<array> dsplit(const array& a, const std::vector<std::int64_t>& positions);
/// The slices along an axis: views, of a vector its values.
std::vector<array> unstack(const array& a, std::int64_t axis = 0);
/// One axis moved to before position `start`.
array rollaxis(const array& a, std::int64_t axis, std::int64_t start = 0);
/// Parts of the axis, as equal as can be, as views.
std::vector<array> array_split(const array& a, std::int64_t sections, std::int64_t axis = 0);
/// Arrays one above the other: along the first axis, vectors being rows.
array vstack(const std::vector<array>& arrays);
/// Another name of vstack.
array row_stack(const std::vector<array>& arrays);
/// Arrays side by side: along the second axis, vectors along their only one.
array hstack(const std::vector<array>& arrays);
/// Arrays behind each other, along the third axis.
array dstack(const std::vector<array>& arrays);
/// Vectors as columns of a matrix; matrices side by side.
array column_stack(const std::vector<array>& arrays);
/// The values at the end of the flattened array, or of an axis.
array append(const array& a, const operand& values, std::optional<std::int64_t> axis = std::nullopt);
/// The array repeated along every axis.
array tile(const array& a, const shape_type& reps);
/// A new array of that shape, filled with the elements over and over.
array resize(const array& a, const shape_type& shape);
/// All arrays as read-only views of their common shape.
std::vector<array> broadcast_arrays(const std::vector<array>& arrays);
/// At least so many dimensions, new ones of length 1.
array atleast_1d(const array& a);
array atleast_2d(const array& a);
array atleast_3d(const array& a);
/// A read-only view of a diagonal of the two axes.
array diagonal(const array& a, std::int64_t offset = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1);
/// A matrix with the vector on a diagonal; of a matrix, a copy of that diagonal.
array diag(const array& v, std::int64_t k = 0);
/// The matrix with zeros above, or below, the k-th diagonal.
array tril(const array& a, std::int64_t k = 0);
array triu(const array& a, std::int64_t k = 0);
/// The real and the imaginary part, as views of complex arrays.
array real(const array& a);
array imag(const array& a);
/// Turned by 90 degrees `k` times in the plane of two axes.
array rot90(const array& a, std::int64_t k = 1, std::int64_t axis1 = 0, std::int64_t axis2 = 1);
/// Order reversed along the first, and along the second axis.
array flipud(const array& a);
array fliplr(const array& a);

}  // namespace cuprum
