#include "cuprum/manipulation.h"

#include "api/handle.h"
#include "ops/creation.h"
#include "ops/diagonals.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/take_apart.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

/// Many parts, or positions.
ops::Sections parts(std::int64_t sections) { return {sections}; }
ops::Sections cuts(const Dims& positions) { return {0, &positions}; }

}  // namespace

array reshape(const array& a, const shape_type& shape) { return a.reshape(shape); }
array ravel(const array& a) { return array(ops::ravel(of(a))); }
array transpose(const array& a, const axes_type& axes) { return a.transpose(axes); }
array swapaxes(const array& a, std::int64_t axis1, std::int64_t axis2) {
  return array(ops::swapaxes(of(a), axis1, axis2));
}
array moveaxis(const array& a, std::int64_t source, std::int64_t destination) {
  return array(ops::moveaxis(of(a), Dims{source}, Dims{destination}));
}
array squeeze(const array& a, const axes_type& axes) { return array(ops::squeeze(of(a), to_axes(axes))); }
array expand_dims(const array& a, std::int64_t axis) { return array(ops::expand_dims(of(a), Dims{axis})); }
array broadcast_to(const array& a, const shape_type& shape) {
  return array(ops::broadcast_to(of(a), to_dims(shape)));
}
array flip(const array& a, const axes_type& axes) { return array(ops::flip(of(a), to_axes(axes))); }
array roll(const array& a, std::int64_t shift, std::int64_t axis) {
  return array(ops::roll(of(a), Dims{shift}, Dims{axis}));
}
array repeat(const array& a, std::int64_t repeats, std::int64_t axis) {
  return array(ops::repeat(of(a), Dims{repeats}, axis));
}
array concatenate(const std::vector<array>& arrays, std::int64_t axis) {
  return array(ops::concatenate(to_arrays(arrays), axis));
}
array stack(const std::vector<array>& arrays, std::int64_t axis) {
  return array(ops::stack(to_arrays(arrays), axis));
}
std::vector<array> split(const array& a, const std::vector<std::int64_t>& positions, std::int64_t axis) {
  return to_handles(ops::split(of(a), to_dims(positions), axis));
}

std::vector<array> split(const array& a, std::int64_t sections, std::int64_t axis) {
  return to_handles(ops::split_evenly("split", of(a), parts(sections), axis));
}
std::vector<array> hsplit(const array& a, std::int64_t sections) {
  return to_handles(ops::hsplit(of(a), parts(sections)));
}
std::vector<array> hsplit(const array& a, const std::vector<std::int64_t>& positions) {
  return to_handles(ops::hsplit(of(a), cuts(to_dims(positions))));
}
std::vector<array> vsplit(const array& a, std::int64_t sections) {
  return to_handles(ops::vsplit(of(a), parts(sections)));
}
std::vector<array> vsplit(const array& a, const std::vector<std::int64_t>& positions) {
  return to_handles(ops::vsplit(of(a), cuts(to_dims(positions))));
}
std::vector<array> dsplit(const array& a, std::int64_t sections) {
  return to_handles(ops::dsplit(of(a), parts(sections)));
}
std::vector<array> dsplit(const array& a, const std::vector<std::int64_t>& positions) {
  return to_handles(ops::dsplit(of(a), cuts(to_dims(positions))));
}
std::vector<array> unstack(const array& a, std::int64_t axis) {
  return to_handles(ops::unstack(of(a), axis));
}
array rollaxis(const array& a, std::int64_t axis, std::int64_t start) {
  return array(ops::rollaxis(of(a), axis, start));
}

array matrix_transpose(const array& a) { return array(ops::matrix_transpose(of(a))); }
std::vector<array> array_split(const array& a, std::int64_t sections, std::int64_t axis) {
  return to_handles(ops::array_split(of(a), sections, axis));
}
array vstack(const std::vector<array>& arrays) { return array(ops::vstack(to_arrays(arrays))); }
array row_stack(const std::vector<array>& arrays) { return vstack(arrays); }
array hstack(const std::vector<array>& arrays) { return array(ops::hstack(to_arrays(arrays))); }
array dstack(const std::vector<array>& arrays) { return array(ops::dstack(to_arrays(arrays))); }
array column_stack(const std::vector<array>& arrays) { return array(ops::column_stack(to_arrays(arrays))); }
array append(const array& a, const operand& values, std::optional<std::int64_t> axis) {
  const Array both[] = {of(a), operand_access::to_array(values, of(a).backend())};
  return array(ops::concatenate(both, axis));
}
array tile(const array& a, const shape_type& reps) { return array(ops::tile(of(a), to_dims(reps))); }
array resize(const array& a, const shape_type& shape) { return array(ops::resize(of(a), to_dims(shape))); }
std::vector<array> broadcast_arrays(const std::vector<array>& arrays) {
  return to_handles(ops::broadcast_arrays(to_arrays(arrays)));
}
array atleast_1d(const array& a) { return array(ops::atleast(of(a), 1)); }
array atleast_2d(const array& a) { return array(ops::atleast(of(a), 2)); }
array atleast_3d(const array& a) { return array(ops::atleast(of(a), 3)); }
array diagonal(const array& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2) {
  return array(ops::diagonal(of(a), offset, axis1, axis2));
}
array diag(const array& v, std::int64_t k) {
  const array result(ops::diag(of(v), k));
  return v.ndim() == 2 ? result.copy() : result;
}
array tril(const array& a, std::int64_t k) { return array(ops::tril(of(a), k)); }
array triu(const array& a, std::int64_t k) { return array(ops::triu(of(a), k)); }
array real(const array& a) { return array(ops::real(of(a))); }
array imag(const array& a) { return array(ops::imag(of(a))); }
array rot90(const array& a, std::int64_t k, std::int64_t axis1, std::int64_t axis2) {
  switch (((k % 4) + 4) % 4) {
    case 0: return a(ellipsis);
    case 1: return swapaxes(flip(a, {axis2}), axis1, axis2);
    case 2: return flip(flip(a, {axis1}), {axis2});
    default: return flip(swapaxes(a, axis1, axis2), {axis2});
  }
}
array flipud(const array& a) { return flip(a, {0}); }
array fliplr(const array& a) {
  if (a.ndim() < 2) throw ValueError("cuprum.fliplr: Input must be >= 2-d.");
  return flip(a, {1});
}

}  // namespace cuprum
