#include "ops/histogram.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/warning.h"
#include "ops/argument_checks.h"
#include "ops/bin_edges.h"
#include "ops/calculus.h"
#include "ops/creation.h"
#include "ops/formula.h"
#include "ops/index.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/search.h"
#include "ops/sort.h"
#include "ops/support.h"
#include "ops/value.h"

namespace cuprum::ops {

namespace {

using namespace formula;

/// Numbers of int64 or float64 added up at their indices, which are in bounds.
Array added_up(const Array& added, const Array& index, std::int64_t length) {
  const Array sums = zeros(Dims{length}, added.type(), 'C', index.backend());
  BackendCall call({&added, &index, &sums});
  const View in[] = {readable(added), readable(index)}, out = writable(sums);
  call(ScatterFold{Op::add, added.type(), {}, true}, in, out);
  return sums;
}

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

/// Few integers are counted by the host, where it can read them: 16 of them in half the time of a reduction and a scatter.
std::optional<Array> counted_on_host(const Array& index, std::int64_t minlength) {
  constexpr std::int64_t kFew = 256, kShort = 4096;
  if (index.size() > kFew || minlength > kShort || !index.backend().host_accessible()) return std::nullopt;
  const std::vector<std::int64_t> values = to_integers(index);
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  if (*least < 0 || *largest >= kShort) return std::nullopt;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(std::max(*largest + 1, minlength)));
  for (const std::int64_t value : values) ++counts[static_cast<std::size_t>(value)];
  return from_integers(counts, index.backend());
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
  if (!weights) {
    if (std::optional<Array> counts = counted_on_host(index, minlength)) return *std::move(counts);
  }
  const std::int64_t largest = largest_of(index);
  const dtype type = weights ? dtype::float64 : dtype::int64;
  const Array added = weights ? record_cast(*weights, type)
                              : broadcast_to(to_array(Value::integer(1), type, x.backend()), x.shape());
  return added_up(added, index, std::max(largest + 1, minlength));
}

// -- Intervals ------------------------------------------------------------------------------------------

namespace {

/// Whether edges rise: of few that the host can read and that are all in order; nothing where it does not know.
std::optional<bool> rises_on_host(const Array& bins) {
  constexpr std::int64_t kFew = 256;
  if (bins.size() > kFew || !is_floating(bins.type()) || !bins.backend().host_accessible())
    return std::nullopt;
  std::vector<double> edges(static_cast<std::size_t>(bins.size()));
  if (!edges.empty()) copy_to_host(record_cast(bins, dtype::float64), edges.data());
  bool rise = true, fall = true;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    rise &= edges[i - 1] <= edges[i];
    fall &= edges[i - 1] >= edges[i];
  }
  return rise || fall ? std::optional<bool>(rise) : std::nullopt;
}

/// Whether the first edges that differ rise; the others have to follow. The host waits for one number, as a rule.
bool rises(const Array& bins) {
  const Array before = between(bins, 0, 0, -1), after = between(bins, 0, 1);
  if (const std::optional<bool> seen = rises_on_host(bins)) return *seen;
  const std::int64_t ordered =
      to_integer(binary(Op::multiply, all(before >= after), Value::integer(2)) + all(before <= after));
  if (ordered) return ordered != 2;
  const std::int64_t first =
      to_integer(argmax(before != after));  // a NaN neither rises nor falls, but it differs
  const bool up = to_truth(at(before, 0, first) < at(after, 0, first));
  if (to_truth(any(up ? before > after : before < after)))
    throw ValueError("cuprum.digitize: bins must be monotonically increasing or decreasing");
  return up;
}

/// The interval between sorted edges that each value lies in, counted from 1; 0 and the number of edges stand for what lies
/// outside. The last interval is closed.
Array interval_of(const Array& x, const Array& edges) {
  return searchsorted(edges, x, true) - (x == at(edges, 0, -1));
}

}  // namespace

Array digitize(const Array& x, const Array& bins, bool right) {
  if (is_complex(x.type())) throw TypeError("cuprum.digitize: x may not be complex");
  check_vector("digitize", bins);
  check_safe_cast("digitize", bins, dtype::float64);
  if (rises(bins)) return searchsorted(bins, x, !right);
  return bins.size() - searchsorted(flip(bins), x, !right);
}

// -- Histograms -----------------------------------------------------------------------------------------

namespace {

struct Vectors {
  Array a;
  std::optional<Array> weights;
};
Vectors vectors_of(const char* function, const Array& a, const Array* weights) {
  Vectors made{ravel(a), {}};
  if (is_bool(a.type())) {
    warn("Converting input from bool to <class 'numpy.uint8'> for compatibility.");
    made.a = record_cast(made.a, dtype::uint8);
  }
  if (!weights) return made;
  if (weights->shape() != a.shape()) {
    throw ValueError(std::string("cuprum.") + function + ": weights should have the same shape as a: given " +
                     to_string(weights->shape()) + " and " + to_string(a.shape()));
  }
  made.weights = ravel(*weights);
  return made;
}

/// Sums of weights between edges; what lies outside goes to two bins that are dropped.
Array weighted_counts(const Array& a, const Array& weights, const Array& edges) {
  const Array index = interval_of(a, edges);
  const auto sums = [&](const Array& w) {
    return between(added_up(record_cast(w, dtype::float64), index, edges.size() + 1), 0, 1, -1);
  };
  if (!is_complex(weights.type())) return record_cast(sums(weights), weights.type());
  return record_cast(sums(real(weights)) + Value::complex(0, 1) * sums(imag(weights)), weights.type());
}

/// Differences of the cumulated weights of sorted values before each edge, as NumPy adds them up.
Array cumulated_weights(const Array& a, const Array& weights, const Array& edges) {
  const Array order = argsort(a);
  const Array ordered = take(a, order);
  const Array cumulated =
      concatenate(std::array{zeros(Dims{1}, weights.type(), 'C', a.backend()), cumsum(take(weights, order))});
  const Array before = concatenate(std::array{searchsorted(ordered, between(edges, 0, 0, -1)),
                                              searchsorted(ordered, between(edges, 0, -1), true)});
  return diff(record_cast(take(cumulated, before), weights.type()));
}

}  // namespace

Array histogram_bin_edges(const Array& a, const Bins& bins, const BinRange& range, const Array* weights) {
  const Vectors given = vectors_of("histogram_bin_edges", a, weights);
  return bin_edges("histogram_bin_edges", given.a, bins, range, given.weights.has_value()).edges;
}

Histogram histogram(const Array& values, const Bins& bins, const BinRange& range, bool density,
                    const Array* given_weights) {
  const auto [given, weights] = vectors_of("histogram", values, given_weights);
  const auto [edges, uniform] = bin_edges("histogram", given, bins, range, weights.has_value());
  const Array a = uniform ? record_cast(given, edges.type()) : given;
  Array counts = !weights  ? count_between(edges, a)
                 : uniform ? weighted_counts(a, *weights, edges)
                           : cumulated_weights(a, *weights, edges);
  if (density) counts = counts / record_cast(diff(edges), dtype::float64) / sum(counts);
  return {counts, edges};
}

// -- Of points ------------------------------------------------------------------------------------------

namespace {

Array axis_edges(const Array& x, const Bins& bins, const BinRange& range, std::size_t axis) {
  const std::string which = "cuprum.histogramdd: `bins[" + std::to_string(axis) + "]` ";
  if (!bins.edges) {
    if (bins.count < 1)
      throw ValueError(which + "must be positive, when an integer, given " + std::to_string(bins.count));
    const auto [first, last] = outer_edges("histogramdd", x, range);
    return linspace(first, last, bins.count + 1, true, std::nullopt, 0, x.backend()).samples;
  }
  if (bins.edges->ndim() != 1)
    throw ValueError(which + "must be a scalar or 1d array, given shape " + to_string(bins.edges->shape()));
  check_rising(*bins.edges, which + "must be monotonically increasing, when an array");
  return *bins.edges;
}

/// Counts divided by the sizes of the boxes, and by their sum.
Array density_of(Array counts, const std::vector<Array>& edges) {
  const Array total = sum(counts);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Dims along(edges.size(), 1);
    along[i] = -1;
    counts = counts / reshape(diff(edges[i]), along);
  }
  return counts / total;
}

void check_one_per_axis(std::size_t given, std::size_t ndim, const char* text, const char* between) {
  if (given == ndim) return;
  throw ValueError(std::string("cuprum.histogramdd: ") + text + ": given " + std::to_string(given) + between +
                   std::to_string(ndim));
}

}  // namespace

std::vector<Array> coordinates_of(const Array& sample) {
  const Array points = sample.ndim() == 2 ? sample : transpose(atleast(sample, 2));
  if (points.ndim() != 2) {
    throw ValueError(
        "cuprum.histogramdd: too many values to unpack (expected 2): a row for every point is needed, given "
        "shape " +
        to_string(points.shape()));
  }
  std::vector<Array> columns;
  for (std::int64_t i = 0; i < points.shape()[1]; ++i) columns.push_back(at(points, 1, i));
  return columns;
}

std::vector<Array> coordinates_of(std::span<const Array> vectors) {
  const Array sample = stack(vectors);
  return coordinates_of(sample.ndim() == 2 ? transpose(sample) : sample);
}

void check_same_length(const Array& x, const Array& y) {
  if (x.ndim() == 0 || y.ndim() == 0)
    throw TypeError("cuprum.histogram2d: len() of unsized object: x and y must be vectors");
  if (x.shape()[0] == y.shape()[0]) return;
  throw ValueError("cuprum.histogram2d: x and y must have the same length: given " +
                   std::to_string(x.shape()[0]) + " and " + std::to_string(y.shape()[0]));
}

GridHistogram histogramdd(std::span<const Array> coordinates, std::span<const Bins> bins,
                          std::span<const BinRange> ranges, bool density, const Array* weights) {
  const std::size_t ndim = coordinates.size();
  check_one_per_axis(bins.size(), ndim,
                     "The dimension of bins must be equal to the dimension of the sample x", " and ");
  check_one_per_axis(ranges.size(), ndim, "range argument must have one entry per dimension", " for ");
  GridHistogram made;
  Dims shape;  // with a place for what lies before and after
  std::optional<Array> index;
  for (std::size_t i = 0; i < ndim; ++i) {
    made.edges.push_back(axis_edges(coordinates[i], bins[i], ranges[i], i));
    shape.push_back(made.edges[i].size() + 1);
  }
  for (std::size_t i = 0; i < ndim; ++i) {
    const Array interval = interval_of(coordinates[i], made.edges[i]);
    index = index ? *index * shape[i] + interval : interval;
  }
  Array counts = record_cast(bincount(*index, weights, element_count(shape)), dtype::float64);
  counts = reshape(counts, shape);
  for (std::size_t i = 0; i < ndim; ++i) counts = between(counts, static_cast<int>(i), 1, -1);
  made.counts = density ? density_of(counts, made.edges) : counts;
  return made;
}

}  // namespace cuprum::ops
