// Histograms: how many values lie between edges.
#pragma once

#include <string>
#include <utility>

#include "cuprum/options.h"

namespace cuprum {

/// The bins along an axis: so many of equal width, those between given edges, or the name of NumPy's rule that chooses their
/// number ("auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt").
class bin_spec {
 public:
  bin_spec(int count) : count_(count) {}
  bin_spec(std::int64_t count) : count_(count) {}
  bin_spec(const array& edges) : edges_(edges) {}
  bin_spec(const char* rule) : rule_(rule) {}
  bin_spec(std::string rule) : rule_(std::move(rule)) {}

  std::int64_t count() const { return count_; }
  const std::optional<array>& edges() const { return edges_; }
  const std::optional<std::string>& rule() const { return rule_; }

 private:
  std::int64_t count_ = 0;
  std::optional<array> edges_;
  std::optional<std::string> rule_;
};

/// What bins of equal width cover.
using bin_range = std::pair<double, double>;

/// Of a histogram.
struct histogram_options {
  by_name named = by_name();
  std::optional<bin_range> range = {};  // of the values
  bool density = false;                 // shares of the whole, divided by the width
  std::optional<array> weights = {};    // how much every value counts
};
struct histogram_result {
  array counts, bin_edges;
};
/// How many values lie in each bin, or their weights, and the edges of the bins. The last bin is closed.
histogram_result histogram(const array& a, const bin_spec& bins = 10, const histogram_options& options = {});
/// The edges of the bins that `histogram` would count in.
array histogram_bin_edges(const array& a, const bin_spec& bins = 10, const histogram_options& options = {});

/// Of a histogram of points.
struct histogramdd_options {
  by_name named = by_name();
  std::vector<std::optional<bin_range>> range = {};  // one for every axis, or none: of the coordinates
  bool density = false;                              // shares of the whole, divided by the size of the box
  std::optional<array> weights = {};                 // how much every point counts
};
struct histogram2d_result {
  array counts, x_edges, y_edges;
};
/// How many points (x, y) lie in each rectangle, and the edges along both axes; the same bins for both, or one for each.
histogram2d_result histogram2d(const array& x, const array& y, const std::vector<bin_spec>& bins = {10},
                               const histogramdd_options& options = {});
struct histogramdd_result {
  array counts;
  std::vector<array> bin_edges;
};
/// How many points lie in each box of a grid, and the edges along every axis; `sample` has a row for every point. The same bins
/// for all axes, or one for each.
histogramdd_result histogramdd(const array& sample, const std::vector<bin_spec>& bins = {10},
                               const histogramdd_options& options = {});

/// The index (int64) of the interval that each value lies in; `bins` rise or fall, `right` closes them at that side.
array digitize(const operand& x, const array& bins, bool right = false);

}  // namespace cuprum
