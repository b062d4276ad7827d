// The public functions that are not ufuncs: each is the function of the same name in src/ops.
#include "api/handle.h"
#include "core/cast.h"
#include "cuprum/cuprum.h"
#include "expr/engine.h"
#include "ops/creation.h"
#include "ops/einsum.h"
#include "ops/histogram.h"
#include "ops/interpolate.h"
#include "ops/join.h"
#include "ops/linalg.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/search.h"
#include "ops/sort.h"
#include "runtime/devices.h"
#include "runtime/lock.h"
#include "runtime/pool.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

ops::ReduceArgs reduce_args(const axes_type& axes, bool keepdims) {
  ops::ReduceArgs args;
  args.axes = to_axes(axes);
  args.keepdims = keepdims;
  return args;
}

}  // namespace

// -- creation.h -----------------------------------------------------------------------------------------

array empty(const shape_type& shape, dtype type) {
  return array(ops::empty(to_dims(shape), type, 'C', default_backend()));
}
array zeros(const shape_type& shape, dtype type) {
  return array(ops::zeros(to_dims(shape), type, 'C', default_backend()));
}
array ones(const shape_type& shape, dtype type) {
  return array(ops::ones(to_dims(shape), type, 'C', default_backend()));
}
array full(const shape_type& shape, double value, dtype type) {
  const Scalar scalar = cast_scalar(Scalar::of(dtype::float64, value), type);
  return array(ops::full(to_dims(shape), scalar, 'C', default_backend()));
}
array integer_range(std::int64_t start, std::int64_t stop, std::int64_t step) {
  return array(ops::arange(start, stop, step, default_backend()));
}
array arange(double stop) { return arange(0.0, stop); }
array arange(double start, double stop, double step) {
  return array(ops::arange(start, stop, step, default_backend()));
}
array linspace(double start, double stop, std::int64_t num, bool endpoint) {
  const Value from = Value::floating(start), to = Value::floating(stop);
  return array(ops::linspace(from, to, num, endpoint, dtype::float64, 0, default_backend()).samples);
}
array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype type) {
  return array(ops::eye(rows, columns < 0 ? rows : columns, k, type, 'C', default_backend()));
}

// -- reductions.h ---------------------------------------------------------------------------------------

#define CUPRUM_REDUCTION(name)                                       \
  array name(const array& a, const axes_type& axes, bool keepdims) { \
    return array(ops::name(of(a), reduce_args(axes, keepdims)));     \
  }
CUPRUM_REDUCTION(sum)
CUPRUM_REDUCTION(prod)
CUPRUM_REDUCTION(min)
CUPRUM_REDUCTION(max)
CUPRUM_REDUCTION(any)
CUPRUM_REDUCTION(all)
CUPRUM_REDUCTION(mean)
CUPRUM_REDUCTION(count_nonzero)
#undef CUPRUM_REDUCTION

array var(const array& a, const axes_type& axes, bool keepdims, double ddof) {
  return array(ops::var(of(a), reduce_args(axes, keepdims), ddof));
}
array std(const array& a, const axes_type& axes, bool keepdims, double ddof) {
  return array(ops::std(of(a), reduce_args(axes, keepdims), ddof));
}
array argmin(const array& a) { return array(ops::argmin(of(a))); }
array argmin(const array& a, std::int64_t axis) { return array(ops::argmin(of(a), {axis, nullptr, false})); }
array argmax(const array& a) { return array(ops::argmax(of(a))); }
array argmax(const array& a, std::int64_t axis) { return array(ops::argmax(of(a), {axis, nullptr, false})); }

// -- manipulation.h -------------------------------------------------------------------------------------

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

// -- sorting.h ------------------------------------------------------------------------------------------

array sort(const array& a, std::int64_t axis) { return array(ops::sort(of(a), axis)); }
array argsort(const array& a, std::int64_t axis) { return array(ops::argsort(of(a), axis)); }
array searchsorted(const array& a, const array& values, bool right) {
  return array(ops::searchsorted(of(a), of(values), right));
}
array bincount(const array& x, std::int64_t minlength) {
  return array(ops::bincount(of(x), nullptr, minlength));
}
array bincount(const array& x, const array& weights, std::int64_t minlength) {
  return array(ops::bincount(of(x), &of(weights), minlength));
}
array interp(const array& x, const array& xp, const array& fp) {
  return array(ops::interp(of(x), of(xp), of(fp)));
}
std::vector<array> nonzero(const array& a) { return to_handles(ops::nonzero(of(a))); }
array take(const array& a, const array& indices, std::int64_t axis) {
  return array(ops::take(of(a), of(indices), axis));
}
array cumsum(const array& a, std::int64_t axis) { return array(ops::cumsum(of(a), {axis, {}, nullptr})); }
array cumprod(const array& a, std::int64_t axis) { return array(ops::cumprod(of(a), {axis, {}, nullptr})); }

// -- linalg.h -------------------------------------------------------------------------------------------

array matmul(const array& a, const array& b) { return array(ops::matmul(of(a), of(b))); }
array dot(const array& a, const array& b) { return array(ops::dot(of(a), of(b))); }
array outer(const array& a, const array& b) { return array(ops::outer(of(a), of(b))); }
array inner(const array& a, const array& b) { return array(ops::inner(of(a), of(b))); }
array tensordot(const array& a, const array& b, std::int64_t axes) {
  return array(ops::tensordot(of(a), of(b), axes));
}
array einsum(const std::string& subscripts, const std::vector<array>& operands) {
  return array(ops::einsum(subscripts, to_arrays(operands)));
}

// -- runtime.h ------------------------------------------------------------------------------------------

void evaluate(const std::vector<array>& arrays) {
  const std::vector<Array> all = to_arrays(arrays);
  evaluate(std::span<const Array>(all), Reason::requested);
}
std::string show_graph(const array& a) { return graph_text({&of(a), 1}); }
void set_eager(bool eager) {
  EngineLock lock;
  engine_options().eager = eager;
}
void set_device(std::string_view device) { set_thread_backend(&backend_named(device)); }
std::string device() { return default_backend().name(); }
void synchronize() {
  EngineLock lock;
  evaluate_all(default_backend());
  default_backend().synchronize();
}
memory_info memory() {
  const MemoryStats stats = default_backend().pool().stats();
  return {stats.used_bytes, stats.total_bytes, stats.peak_bytes};
}
void free_all_blocks() { default_backend().pool().free_all_blocks(); }

}  // namespace cuprum
