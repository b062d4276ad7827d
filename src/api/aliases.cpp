#include "cuprum/aliases.h"

#include <string_view>

#include "api/handle.h"
#include "ops/elementwise.h"
#include "ops/scan.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

std::pair<array, array> call(std::string_view name, std::initializer_list<Value> args) {
  for (const PairUfunc& ufunc : pair_ufuncs()) {
    if (name != ufunc.name) continue;
    const Array* const outs[] = {nullptr, nullptr};
    ops::UfuncOptions options;
    options.device = &default_backend();
    auto [first, second] = ops::call_pair(ufunc, args, outs, options);
    return {array(std::move(first)), array(std::move(second))};
  }
  throw Error("cuprum: no such operation");
}

ops::ScanArgs scan_args(const cumulative_options& o) {
  return {o.axis, o.dtype, o.out ? &o.out->implementation() : nullptr};
}

}  // namespace

std::pair<array, array> divmod(const operand& a, const operand& b) {
  return call("divmod", {operand_access::value(a), operand_access::value(b)});
}
std::pair<array, array> modf(const operand& a) { return call("modf", {operand_access::value(a)}); }
std::pair<array, array> frexp(const operand& a) { return call("frexp", {operand_access::value(a)}); }

array cumulative_sum(const array& a, const cumulative_options& options) {
  return array(ops::cumulative_sum(a.implementation(), scan_args(options), options.include_initial));
}
array cumulative_prod(const array& a, const cumulative_options& options) {
  return array(ops::cumulative_prod(a.implementation(), scan_args(options), options.include_initial));
}

}  // namespace cuprum
