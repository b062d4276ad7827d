// Rules that choose the width of a histogram's bins from the values. A width is a number of the host.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/texts.h"
#include "core/warning.h"
#include "ops/bin_edges.h"
#include "ops/formula.h"
#include "ops/linalg.h"
#include "ops/quantile.h"
#include "ops/reduce.h"

namespace cuprum::ops {

namespace {

using namespace formula;

/// The values, and the range of the histogram.
struct Values {
  const Array& x;
  const std::pair<Value, Value>& outer;

  double n() const { return static_cast<double>(x.size()); }
};

Number number_of(const Array& a) { return {element(record_cast(a, dtype::float64)).as<double>(), a.type()}; }

Number strong(double x) { return {x, dtype::float64}; }

Number extent(const Values& v) { return distance(element(max(v.x)), element(min(v.x))); }

Number by_sqrt(const Values& v) { return extent(v) / strong(std::sqrt(v.n())); }
Number by_sturges(const Values& v) { return extent(v) / strong(std::log2(v.n()) + 1.0); }
Number by_rice(const Values& v) { return extent(v) / (2.0 * std::pow(v.n(), 1.0 / 3)); }

Number by_scott(const Values& v) {
  return std::pow(24.0 * std::sqrt(std::numbers::pi) / v.n(), 1.0 / 3.0) * number_of(std(v.x));
}

/// Freedman and Diaconis.
Number by_fd(const Values& v) {
  const std::int64_t quartiles[] = {75, 25};
  const Array found = percentile(v.x, from_integers(quartiles, v.x.backend()));
  return 2.0 * (number_of(at(found, 0, 0)) - number_of(at(found, 0, 1))) * std::pow(v.n(), -1.0 / 3.0);
}

Number by_auto(const Values& v) {
  const Number narrowest = by_sqrt(v) / 2;  // values that cluster would ask for very many bins
  const Number wide = by_fd(v), most = by_sturges(v);
  const Number width = narrowest.value() > wide.value() ? narrowest : wide;
  return most.value() < width.value() ? most : width;
}

Number by_doane(const Values& v) {
  const double n = v.n();
  const Number sigma = n > 2 ? number_of(std(v.x)) : strong(0);
  if (!(sigma.value() > 0)) return strong(0);
  const double spread = std::sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)));
  const Array standard = (v.x - mean(v.x)) / sigma.scalar();
  const double skew = std::abs(number_of(mean(power_operator(standard, Value::integer(3)))).value());
  return extent(v) / strong(1.0 + std::log2(n) + std::log2(1.0 + skew / spread));
}

/// The number of bins with the least estimated error, tried one by one.
Number by_stone(const Values& v) {
  const Number whole = extent(v);
  if (v.x.size() <= 1 || whole == 0) return strong(0);
  const auto error = [&](std::int64_t bins) {
    const Array share = histogram(v.x, Bins{bins, nullptr, {}}, v.outer).counts / v.n();
    const double squares = number_of(dot(share, share)).value();
    const Number width = whole / bins;
    return Number(2 - (v.n() + 1) * squares, width.type()) / width;
  };
  const std::int64_t most = std::max<std::int64_t>(100, static_cast<std::int64_t>(std::sqrt(v.n())));
  std::int64_t best = 1;
  double least = error(1).value();
  for (std::int64_t bins = 2; bins <= most; ++bins) {
    const double tried = error(bins).value();
    if (!(tried < least)) continue;
    best = bins;
    least = tried;
  }
  if (best == most) warn("The number of bins estimated may be suboptimal.");
  return whole / best;
}

struct Rule {
  const char* name;
  Number (*width)(const Values&);
};
constexpr Rule kRules[] = {{"stone", by_stone}, {"auto", by_auto},      {"doane", by_doane},
                           {"fd", by_fd},       {"rice", by_rice},      {"scott", by_scott},
                           {"sqrt", by_sqrt},   {"sturges", by_sturges}};

const Rule* find_rule(const std::string& name) {
  const auto* found =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& rule) { return rule.name == name; });
  return found == std::end(kRules) ? nullptr : found;
}

}  // namespace

void check_rule(const char* function, const std::string& rule) {
  if (find_rule(rule)) return;
  std::string names;
  for (const Rule& known : kRules) names += (names.empty() ? "'" : ", '") + std::string(known.name) + "'";
  throw ValueError(prefix(function) + "'" + rule + "' is not a valid estimator for `bins`; write one of [" +
                   names + "]");
}

Number bin_width(const std::string& rule, const Array& x, const std::pair<Value, Value>& outer) {
  return find_rule(rule)->width({x, outer});
}

}  // namespace cuprum::ops
