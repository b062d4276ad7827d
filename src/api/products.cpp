// Products of vectors and matrices: see linalg.h.
#include "cuprum/linalg.h"

#include "api/handle.h"
#include "ops/einsum.h"
#include "ops/linalg.h"
#include "ops/support.h"
#include "ops/vector_products.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

}  // namespace

array vdot(const array& a, const array& b) { return array(ops::vdot(of(a), of(b))); }
array vecdot(const array& a, const array& b) { return array(ops::vecdot(of(a), of(b))); }
array matvec(const array& a, const array& b) { return array(ops::matvec(of(a), of(b))); }
array vecmat(const array& a, const array& b) { return array(ops::vecmat(of(a), of(b))); }
array kron(const array& a, const array& b) { return array(ops::value_if_0d(ops::kron(of(a), of(b)))); }
array cross(const array& a, const array& b, const cross_options& o) {
  return array(
      ops::cross(of(a), of(b), o.axis.value_or(o.axisa), o.axis.value_or(o.axisb), o.axis.value_or(o.axisc)));
}

std::vector<std::vector<std::size_t>> einsum_path(const std::string& subscripts,
                                                  const std::vector<array>& operands) {
  return ops::einsum_path(subscripts, to_arrays(operands));
}

}  // namespace cuprum
