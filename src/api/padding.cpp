#include "cuprum/padding.h"

#include "api/handle.h"
#include "ops/pad.h"

namespace cuprum {

namespace {

/// A pair for each of `ndim` axes.
template <class T>
std::vector<std::array<T, 2>> for_axes(const border_pairs<T>& given, int ndim) {
  const auto count = static_cast<std::size_t>(ndim);
  if (given.pairs().size() == 1) return std::vector<std::array<T, 2>>(count, given.pairs()[0]);
  if (given.pairs().size() == count) return given.pairs();
  throw ValueError("cuprum.pad: operands could not be broadcast together with remapped shapes: " +
                   std::to_string(given.pairs().size()) + " pairs for an array of " + std::to_string(ndim) +
                   " dimension(s)");
}

}  // namespace

array pad(const array& a, const border_pairs<std::int64_t>& pad_width, const pad_options& options) {
  std::vector<ops::PadWidth> widths;
  for (const auto& [before, after] : for_axes(pad_width, a.ndim())) widths.push_back({before, after});
  ops::PadArgs args;
  args.mode = options.mode;
  args.odd = options.reflect_type == "odd";
  const bool ramp = options.mode == "linear_ramp";
  for (const auto& [before, after] : for_axes(ramp ? options.end_values : options.constant_values, a.ndim()))
    args.values.push_back({operand_access::value(before), operand_access::value(after)});
  if (options.stat_length) {
    for (const auto& [before, after] : for_axes(*options.stat_length, a.ndim())) {
      if (before < 0 || after < 0) throw ValueError("cuprum.pad: index can't contain negative values");
      args.lengths.push_back({before, after});
    }
  }
  return array(ops::pad(a.implementation(), widths, args));
}

}  // namespace cuprum
