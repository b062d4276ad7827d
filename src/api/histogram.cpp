#include "cuprum/histogram.h"

#include "api/handle.h"
#include "ops/histogram.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }
const Array* of(const std::optional<array>& a) { return a ? &a->implementation() : nullptr; }
ops::Bins of(const bin_spec& bins) { return {bins.count(), of(bins.edges()), bins.rule()}; }
ops::BinRange of(const std::optional<bin_range>& range) {
  if (!range) return std::nullopt;
  return {{Value::floating(range->first), Value::floating(range->second)}};
}

histogramdd_result on_grid(const std::vector<Array>& coordinates, const std::vector<bin_spec>& bins,
                           const histogramdd_options& o) {
  std::vector<ops::Bins> all_bins;
  std::vector<ops::BinRange> ranges;
  for (const bin_spec& b : bins) all_bins.push_back(of(b));
  if (bins.size() == 1) all_bins.resize(coordinates.size(), all_bins[0]);
  for (const std::optional<bin_range>& r : o.range) ranges.push_back(of(r));
  if (o.range.empty()) ranges.resize(coordinates.size());
  ops::GridHistogram made = ops::histogramdd(coordinates, all_bins, ranges, o.density, of(o.weights));
  return {array(std::move(made.counts)), to_handles(std::move(made.edges))};
}

}  // namespace

histogram_result histogram(const array& a, const bin_spec& bins, const histogram_options& o) {
  ops::Histogram made = ops::histogram(of(a), of(bins), of(o.range), o.density, of(o.weights));
  return {array(std::move(made.counts)), array(std::move(made.edges))};
}

array histogram_bin_edges(const array& a, const bin_spec& bins, const histogram_options& o) {
  return array(ops::histogram_bin_edges(of(a), of(bins), of(o.range), of(o.weights)));
}

histogram2d_result histogram2d(const array& x, const array& y, const std::vector<bin_spec>& bins,
                               const histogramdd_options& o) {
  ops::check_same_length(of(x), of(y));
  const Array vectors[] = {of(x), of(y)};
  histogramdd_result made = on_grid(ops::coordinates_of(vectors), bins, o);
  return {std::move(made.counts), std::move(made.bin_edges[0]), std::move(made.bin_edges[1])};
}

histogramdd_result histogramdd(const array& sample, const std::vector<bin_spec>& bins,
                               const histogramdd_options& o) {
  return on_grid(ops::coordinates_of(of(sample)), bins, o);
}

array digitize(const operand& x, const array& bins, bool right) {
  return array(ops::digitize(operand_access::to_array(x, of(bins).backend()), of(bins), right));
}

}  // namespace cuprum
