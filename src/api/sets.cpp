#include "cuprum/sets.h"

#include "api/handle.h"
#include "ops/elementwise.h"
#include "ops/sets.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

/// NaN are distinct here, as the array API has it.
ops::Unique distinct(const array& a, ops::UniqueArgs wanted) {
  wanted.equal_nan = false;
  return ops::unique_along(of(a), std::nullopt, wanted);
}

}  // namespace

array isin(const array& elements, const operand& values, bool invert) {
  const Array found = ops::is_in(of(elements), operand_access::to_array(values, of(elements).backend()));
  return array(invert ? ops::unary(Op::logical_not, found) : found);
}
array union1d(const array& a, const array& b) { return array(ops::union1d(of(a), of(b))); }
array intersect1d(const array& a, const array& b, bool assume_unique) {
  return array(ops::intersect1d(of(a), of(b), assume_unique).values);
}
intersect1d_result intersect1d_indices(const array& a, const array& b, bool assume_unique) {
  const ops::Intersection found = ops::intersect1d(of(a), of(b), assume_unique, true);
  return {array(found.values), array(found.index1), array(found.index2)};
}
array setxor1d(const array& a, const array& b, bool assume_unique) {
  return array(ops::setxor1d(of(a), of(b), assume_unique));
}
array setdiff1d(const array& a, const array& b, bool assume_unique) {
  return array(ops::setdiff1d(of(a), of(b), assume_unique));
}

array unique_values(const array& a) { return array(distinct(a, {}).values); }
unique_counts_result unique_counts(const array& a) {
  const ops::Unique u = distinct(a, {.counts = true});
  return {array(u.values), array(u.counts)};
}
unique_inverse_result unique_inverse(const array& a) {
  const ops::Unique u = distinct(a, {.inverse = true});
  return {array(u.values), array(u.inverse)};
}
unique_all_result unique_all(const array& a) {
  const ops::Unique u = distinct(a, {.index = true, .inverse = true, .counts = true});
  return {array(u.values), array(u.index), array(u.inverse), array(u.counts)};
}

}  // namespace cuprum
