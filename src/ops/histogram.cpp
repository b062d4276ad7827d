#include "ops/histogram.h"

#include <algorithm>
#include <string>

#include "ops/argument_checks.h"
#include "ops/creation.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/search.h"
#include "ops/support.h"
#include "ops/value.h"

namespace cuprum::ops {

namespace {

/// Of int64 that are not negative. One that is, read without its sign, is larger than all others: of many, one reduction tells.
std::int64_t largest_of(const Array& index) {
  constexpr std::int64_t kMany = 1 << 14;
  if (index.size() >= kMany) {
    const std::int64_t largest = to_integer(max(view_as(index, dtype::uint64)));
    if (largest >= 0) return largest;
  }
  const auto [least, largest] = smallest_and_largest(index);
  if (least < 0) {
    throw ValueError("cuprum.bincount: 'list' argument must have no negative elements, the least is " +
                     std::to_string(least));
  }
  return largest;
}

}  // namespace

Array bincount(const Array& x, const Array* weights, std::int64_t minlength) {
  if (minlength < 0) {
    throw ValueError("cuprum.bincount: 'minlength' must not be negative, given " + std::to_string(minlength));
  }
  check_vector("bincount", x);
  if (x.type() != dtype::uint64) check_safe_cast("bincount", x, dtype::int64);  // NumPy counts these too
  if (x.size() == 0) return zeros(Dims{minlength}, dtype::int64, 'C', x.backend());
  if (weights) {
    check_vector("bincount", *weights);
    check_safe_cast("bincount", *weights, dtype::float64);
    if (weights->size() != x.size()) {
      throw ValueError("cuprum.bincount: The weights and list don't have the same length: given " +
                       std::to_string(weights->size()) + " and " + std::to_string(x.size()));
    }
  }
  const Array index = record_cast(x, dtype::int64);
  const std::int64_t largest = largest_of(index);
  const dtype type = weights ? dtype::float64 : dtype::int64;
  const Array added = weights ? record_cast(*weights, type)
                              : broadcast_to(to_array(Value::integer(1), type, x.backend()), x.shape());
  const Array counts = zeros(Dims{std::max(largest + 1, minlength)}, type, 'C', x.backend());
  BackendCall call;
  const View in[] = {readable(added), readable(index)}, out = writable(counts);
  call(ScatterFold{Op::add, type, {}}, in, out);
  return counts;
}

}  // namespace cuprum::ops
