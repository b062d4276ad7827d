// Rearranging arrays: views where NumPy gives views, else copies.
#pragma once

#include "cuprum/array.h"

namespace cuprum {

/// Another shape; one extent may be -1.
array reshape(const array& a, const shape_type& shape);
/// One dimension, C order.
array ravel(const array& a);
/// Dimensions reversed, or in the order of `axes`.
array transpose(const array& a, const axes_type& axes = {});
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

}  // namespace cuprum
