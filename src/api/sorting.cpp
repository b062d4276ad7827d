#include "cuprum/sorting.h"

#include "api/handle.h"
#include "ops/histogram.h"
#include "ops/interpolate.h"
#include "ops/search.h"
#include "ops/sets.h"
#include "ops/sort.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

}  // namespace

array sort(const array& a, std::int64_t axis) { return array(ops::sort(of(a), axis)); }
array argsort(const array& a, std::int64_t axis) { return array(ops::argsort(of(a), axis)); }
array partition(const array& a, const std::vector<std::int64_t>& kth, std::int64_t axis) {
  return array(ops::partition(of(a), to_dims(kth), axis));
}
array argpartition(const array& a, const std::vector<std::int64_t>& kth, std::int64_t axis) {
  return array(ops::argpartition(of(a), to_dims(kth), axis));
}
array lexsort(const std::vector<array>& keys, std::int64_t axis) {
  return array(ops::lexsort(to_arrays(keys), axis));
}
unique_result unique(const array& a, const unique_options& o) {
  const ops::UniqueArgs wanted{o.return_index, o.return_inverse, o.return_counts, o.equal_nan};
  ops::Unique found = ops::unique_along(of(a), o.axis, wanted);
  unique_result result{array(std::move(found.values)), {}, {}, {}};
  if (o.return_index) result.index = array(std::move(found.index));
  if (o.return_inverse) result.inverse = array(std::move(found.inverse));
  if (o.return_counts) result.counts = array(std::move(found.counts));
  return result;
}
array unique(const array& a) { return unique(a, unique_options{}).values; }
array searchsorted(const array& a, const operand& values, bool right) {
  return array(ops::searchsorted(of(a), operand_access::to_array(values, of(a).backend()), right));
}
array bincount(const array& x, std::int64_t minlength) {
  return array(ops::bincount(of(x), nullptr, minlength));
}
array bincount(const array& x, const array& weights, std::int64_t minlength) {
  return array(ops::bincount(of(x), &of(weights), minlength));
}
array interp(const operand& x, const array& xp, const array& fp) {
  return array(ops::interp(operand_access::to_array(x, of(xp).backend()), of(xp), of(fp)));
}
array interp(const operand& at, const array& xp, const array& fp, const interp_options& o) {
  const Array x = operand_access::to_array(at, of(xp).backend());
  const auto number = [&](const std::optional<double>& v) {
    return v ? std::optional<Array>(to_array(Value::floating(*v), dtype::float64, x.backend()))
             : std::nullopt;
  };
  const std::optional<Array> left = number(o.left), right = number(o.right);
  return array(ops::interp(x, of(xp), of(fp), left ? &*left : nullptr, right ? &*right : nullptr, o.period));
}
std::vector<array> nonzero(const array& a) { return to_handles(ops::nonzero(of(a))); }
array flatnonzero(const array& a) { return array(ops::flatnonzero(of(a))); }
array argwhere(const array& a) { return array(ops::argwhere(of(a))); }
array take(const array& a, const array& indices, std::optional<std::int64_t> axis) {
  return array(ops::take(of(a), of(indices), axis));
}
array take_along_axis(const array& a, const array& indices, std::int64_t axis) {
  return array(ops::take_along_axis(of(a), of(indices), axis));
}
void put_along_axis(const array& a, const array& indices, const operand& values, std::int64_t axis) {
  ops::put_along_axis(of(a), of(indices), operand_access::value(values), axis);
}
void put(const array& a, const array& indices, const operand& values) {
  ops::put(of(a), of(indices), operand_access::to_array(values, of(a).backend(), a.type()));
}
array choose(const array& index, const std::vector<array>& choices) {
  return array(ops::choose(of(index), to_arrays(choices)));
}
array compress(const array& condition, const array& a, std::optional<std::int64_t> axis) {
  return array(ops::compress(of(condition), of(a), axis));
}
array extract(const array& condition, const array& a) { return array(ops::extract(of(condition), of(a))); }
void place(const array& a, const array& mask, const operand& values) {
  ops::place(of(a), of(mask), operand_access::to_array(values, of(a).backend(), a.type()));
}
void putmask(const array& a, const array& mask, const operand& values) {
  ops::putmask(of(a), of(mask), operand_access::to_array(values, of(a).backend(), a.type()));
}
void copyto(const array& to, const operand& from, const std::optional<array>& where) {
  ops::copyto(of(to), operand_access::value(from), where ? &of(*where) : nullptr);
}

}  // namespace cuprum
