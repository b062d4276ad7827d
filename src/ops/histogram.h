// Counting: how often integers occur, which interval values lie in, and histograms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// How often each of 0, 1, 2, ... occurs in a vector of integers (int64), or the sum of its weights (float64); of at least
/// `minlength` of them.
Array bincount(const Array& x, const Array* weights = nullptr, std::int64_t minlength = 0);

/// The index of the interval that each value lies in; `bins` rise or fall, `right` closes them at that side.
Array digitize(const Array& x, const Array& bins, bool right = false);

/// The bins along an axis: so many of equal width, those between given edges, or as many as a rule thinks right.
struct Bins {
  std::int64_t count = 10;
  const Array* edges = nullptr;
  std::optional<std::string> rule;  // "auto", "fd", ...
};
/// What bins of equal width cover: two numbers; unset: the values.
using BinRange = std::optional<std::pair<Value, Value>>;

struct Histogram {
  Array counts;
  Array edges;
};
/// How many values lie in each bin, or their weights, or their density. The last bin is closed.
Histogram histogram(const Array& a, const Bins& bins = {}, const BinRange& range = {}, bool density = false,
                    const Array* weights = nullptr);
Array histogram_bin_edges(const Array& a, const Bins& bins = {}, const BinRange& range = {},
                          const Array* weights = nullptr);

struct GridHistogram {
  Array counts;
  std::vector<Array> edges;
};
/// How many points lie in each box of a grid, of a vector of coordinates, bins and a range for every axis.
GridHistogram histogramdd(std::span<const Array> coordinates, std::span<const Bins> bins,
                          std::span<const BinRange> ranges, bool density = false,
                          const Array* weights = nullptr);
/// A vector of coordinates for every axis, from an array with a row for every point; or of one dtype, from one vector each.
std::vector<Array> coordinates_of(const Array& sample);
std::vector<Array> coordinates_of(std::span<const Array> vectors);
/// What `histogram2d` asks of its vectors.
void check_same_length(const Array& x, const Array& y);

}  // namespace cuprum::ops
