#include "cuprum/manipulation.h"

#include "api/handle.h"
#include "ops/creation.h"
#include "ops/join.h"
#include "ops/manipulate.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

std::vector<Array> at_least(const std::vector<array>& arrays, int ndim) {
  std::vector<Array> result;
  for (const array& a : arrays) result.push_back(ops::atleast(of(a), ndim));
  return result;
}

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

array matrix_transpose(const array& a) { return array(ops::matrix_transpose(of(a))); }
std::vector<array> array_split(const array& a, std::int64_t sections, std::int64_t axis) {
  return to_handles(ops::array_split(of(a), sections, axis));
}
array vstack(const std::vector<array>& arrays) { return array(ops::concatenate(at_least(arrays, 2), 0)); }
array hstack(const std::vector<array>& arrays) {
  const std::vector<Array> parts = at_least(arrays, 1);
  return array(ops::concatenate(parts, !parts.empty() && parts[0].ndim() == 1 ? 0 : 1));
}
array dstack(const std::vector<array>& arrays) { return array(ops::concatenate(at_least(arrays, 3), 2)); }
array column_stack(const std::vector<array>& arrays) {
  std::vector<Array> columns;
  for (const array& a : arrays)
    columns.push_back(a.ndim() < 2 ? ops::transpose(ops::atleast(of(a), 2)) : of(a));
  return array(ops::concatenate(columns, 1));
}
array append(const array& a, const array& values, std::optional<std::int64_t> axis) {
  return array(ops::concatenate(to_arrays({a, values}), axis));
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
  if (v.ndim() == 2) return diagonal(v, k).copy();
  if (v.ndim() != 1) throw ValueError("cuprum.diag: Input must be 1- or 2-d.");
  const std::int64_t n = v.size() + std::abs(k);
  const array result(ops::zeros({n, n}, v.type(), 'C', of(v).backend()));
  const Array to = ops::diagonal(of(result), k);
  Array writeable = to;
  writeable.set_writeable(true);
  array(std::move(writeable))(ellipsis) = v;
  return result;
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
