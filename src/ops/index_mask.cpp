#include "ops/index_mask.h"

#include <optional>
#include <string>

#include "expr/engine.h"
#include "ops/assign.h"
#include "ops/index_now.h"
#include "ops/support.h"

namespace cuprum::ops {

/// A dimension of size 0 fits everything, as in NumPy: it names nothing.
void check_mask(const Array& a, const Array& mask, int axis) {
  for (int d = 0; d < mask.ndim(); ++d) {
    if (mask.shape()[d] == a.shape()[axis + d] || mask.shape()[d] == 0) continue;
    throw IndexError("boolean index did not match indexed array along axis " + std::to_string(axis + d) +
                     "; size of axis is " + std::to_string(a.shape()[axis + d]) +
                     " but size of corresponding boolean axis is " + std::to_string(mask.shape()[d]));
  }
}

Array true_coordinates(const Array& mask) {
  BackendCall call({&mask});
  const View view = readable(mask);
  Backend& backend = mask.backend();
  const auto counted = call.count_true(view);
  const Array rows = make_array(backend, dtype::int64, Dims{counted->count, mask.ndim()});
  if (rows.size() > 0) {
    const View out = writable(rows);
    call(Nonzero{counted}, {view}, out);
  }
  return rows;
}

Array select(const Array& a, const Array& mask) {
  check_mask(a, mask, 0);
  if (a.shape() == mask.shape()) {
    if (std::optional<Array> now = selected_now(a, mask)) return *std::move(now);
  }
  BackendCall call({&a, &mask});
  const View where = readable(mask), in = readable(a);
  Backend& backend = a.backend();
  const auto counted = call.count_true(where);
  const Array result = make_array(backend, a.type(), Dims{counted->count});
  if (counted->count > 0) {
    const View out = writable(result);
    call(Select{counted}, {in, where}, out);
  }
  return result;
}

void masked_fill(const Array& a, const Array& mask, const Value& value) {
  if (!a.writeable()) throw_read_only();
  check_mask(a, mask, 0);
  const std::int64_t given = value.shape().empty() ? 1 : value.shape()[0];
  if (value.shape().size() > 1) {
    throw TypeError(
        "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has " +
        std::to_string(value.shape().size()) + " dimensions");
  }
  if (!value.is_array() && a.covers_storage()) {  // stays pending: no mask in memory, and it fuses
    const Scalar scalar = value.to_scalar(a.type());
    const Input inputs[] = {mask, scalar, a};
    return assign(a, Op::where, *find_signature(Op::where, a.type()), inputs);
  }
  const Array v = detached(to_array(value, a.type(), a.backend()), a), m = detached(mask, a);
  BackendCall call({&v, &m, &a});
  const View where = readable(m);
  const View from = readable(v);
  if (given == 1) {
    if (a.size() == 0) return;
    const View to = writable(a);
    call(MaskedFill{}, {where, from}, to);
    return;
  }
  const auto counted = call.count_true(where);
  if (counted->count != given) {
    throw ValueError("NumPy boolean array indexing assignment cannot assign " + std::to_string(given) +
                     " input values to the " + std::to_string(counted->count) +
                     " output values where the mask is true");
  }
  if (given == 0) return;
  const View to = writable(a);
  call(MaskedAssign{counted}, {from, where}, to);
}

}  // namespace cuprum::ops
