// Quantiles, weighted means, covariances and histograms of the public C++ API.
#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace cp = cuprum;
using Doubles = std::vector<double>;
using Longs = std::vector<std::int64_t>;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST(ApiStatistics, MediansSkipOrTellNan) {
  const cp::array a{{10.0, 7.0, 4.0}, {3.0, 2.0, 1.0}};
  EXPECT_EQ(cp::median(a).item<double>(), 3.5);
  EXPECT_EQ(cp::median(a, 0).to_host<double>(), (Doubles{6.5, 4.5, 2.5}));
  EXPECT_EQ(cp::median(a, {.axis = 1, .keepdims = true}).shape(), (cp::shape_type{2, 1}));
  const cp::array holed{3.0, kNan, 1.0};
  EXPECT_TRUE(std::isnan(cp::median(holed).item<double>()));
  EXPECT_EQ(cp::nanmedian(holed).item<double>(), 2.0);
  EXPECT_THROW(cp::median(a, 2), cp::AxisError);
}

TEST(ApiStatistics, QuantilesByMethod) {
  const cp::array a{4.0, 1.0, 3.0, 2.0};
  EXPECT_EQ(cp::quantile(a, 0.5).item<double>(), 2.5);
  EXPECT_EQ(cp::quantile(a, 0.5, {.method = "lower"}).item<double>(), 2.0);
  EXPECT_EQ(cp::quantile(a, 0.5, {.method = "higher"}).item<double>(), 3.0);
  EXPECT_EQ(cp::percentile(a, cp::array{0, 25, 100}).to_host<double>(), (Doubles{1, 1.75, 4}));
  const cp::array two = cp::arange(6.0).reshape({2, 3});
  EXPECT_EQ(cp::quantile(two, cp::array{0.0, 1.0}, {.axis = 0}).to_host<double>(),
            (Doubles{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(cp::quantile(two, 0.5, {.axis = {0, 1}, .keepdims = true}).shape(), (cp::shape_type{1, 1}));
  const cp::array weights{1.0, 0.0, 5.0, 0.0};
  EXPECT_EQ(cp::quantile(a, 0.5, {.method = "inverted_cdf", .weights = weights}).item<double>(), 3.0);
  EXPECT_EQ(cp::nanquantile(cp::array{1.0, kNan, 3.0}, 0.5).item<double>(), 2.0);
  EXPECT_EQ(cp::nanpercentile(cp::array{1.0, kNan, 3.0}, 50).item<double>(), 2.0);
}

TEST(ApiStatistics, QuantilesKeepNarrowDtypes) {
  const cp::array a = cp::arange(5.0).astype(cp::dtype::float32);
  EXPECT_EQ(cp::quantile(a, 0.3).type(), cp::dtype::float32);
  EXPECT_EQ(cp::quantile(a, cp::array{0.3}).type(), cp::dtype::float64);
}

TEST(ApiStatistics, QuantilesOfALongRowAreThoseOfTheSortedOne) {
  cp::array a = cp::random::generator(3).random({100'003});
  const cp::array sorted = cp::sort(a);
  EXPECT_EQ(cp::median(a).item<double>(), sorted(50'001).item<double>());
  EXPECT_EQ(cp::quantile(a, 0.5).item<double>(), sorted(50'001).item<double>());
  a(7) = kNan;
  EXPECT_TRUE(std::isnan(cp::quantile(a, 0.5).item<double>()));
  EXPECT_FALSE(std::isnan(cp::nanquantile(a, 0.5).item<double>()));
}

TEST(ApiStatistics, BadQuantilesNameTheFunction) {
  const cp::array a{1.0, 2.0};
  EXPECT_THROW(cp::quantile(a, 1.5), cp::ValueError);
  EXPECT_THROW(cp::quantile(a, 0.5, {.method = "other"}), cp::ValueError);
  EXPECT_THROW(cp::quantile(a, 0.5, {.weights = a}), cp::ValueError);
  EXPECT_THROW(cp::quantile(a * std::complex<double>(0, 1), 0.5), cp::TypeError);
  try {
    cp::percentile(a, 101);
    FAIL();
  } catch (const cp::ValueError& error) {
    EXPECT_STREQ(error.what(), "cuprum.percentile: Percentiles must be in the range [0, 100]");
  }
}

TEST(ApiStatistics, WeightedMeans) {
  const cp::array a{{1.0, 2.0}, {3.0, 5.0}};
  EXPECT_EQ(cp::average(a).item<double>(), 2.75);
  EXPECT_EQ(cp::average(a, {.axis = 1, .weights = cp::array{3.0, 1.0}}).to_host<double>(),
            (Doubles{1.25, 3.5}));
  EXPECT_THROW(cp::average(a, {.axis = 1, .weights = cp::array{1.0, -1.0}}), cp::ZeroDivisionError);
  EXPECT_THROW(cp::average(a, {.weights = cp::array{1.0, -1.0}}), cp::TypeError);
}

TEST(ApiStatistics, Covariances) {
  const cp::array m{{0.0, 1.0, 2.0}, {2.0, 1.0, 0.0}};
  EXPECT_EQ(cp::cov(m).to_host<double>(), (Doubles{1, -1, -1, 1}));
  EXPECT_EQ(cp::cov(m(0), {.bias = true}).item<double>(), 2.0 / 3.0);
  EXPECT_EQ(cp::corrcoef(m(0), {.y = m(1)}).to_host<double>(), (Doubles{1, -1, -1, 1}));
  EXPECT_EQ(cp::cov(m(0), {.fweights = cp::array{1, 0, 1}}).item<double>(), 2.0);
  EXPECT_THROW(cp::cov(cp::zeros({2, 2, 2})), cp::ValueError);
}

TEST(ApiHistogram, CountsAndEdges) {
  const cp::array a{1.0, 2.0, 1.0, 4.0};
  const auto [counts, edges] = cp::histogram(a, 3);
  EXPECT_EQ(counts.to_host<std::int64_t>(), (Longs{2, 1, 1}));
  EXPECT_EQ(edges.to_host<double>(), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(cp::histogram(a, cp::array{0.0, 2.0, 4.0}).counts.to_host<std::int64_t>(), (Longs{2, 2}));
  EXPECT_EQ(cp::histogram(a, 2, {.range = {{0.0, 4.0}}, .density = true}).counts.to_host<double>(),
            (Doubles{0.25, 0.25}));
  EXPECT_EQ(cp::histogram(a, 3, {.weights = a}).counts.to_host<double>(), (Doubles{2, 2, 4}));
  EXPECT_EQ(cp::histogram_bin_edges(a, "sturges").to_host<double>(), (Doubles{1, 2, 3, 4}));
  EXPECT_THROW(cp::histogram(a, 0), cp::ValueError);
  EXPECT_THROW(cp::histogram(a, "no rule"), cp::ValueError);
  EXPECT_THROW(cp::histogram(a, cp::array{2.0, 1.0}), cp::ValueError);
  EXPECT_THROW(cp::histogram(cp::array{1.0, kNan}), cp::ValueError);
}

TEST(ApiHistogram, EveryRuleCountsAllValues) {
  const cp::array a = cp::random::generator(1).normal(0.0, 1.0, {200});
  for (const char* rule : {"auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"}) {
    const cp::array counts = cp::histogram(a, rule).counts;
    EXPECT_EQ(cp::sum(counts).item<int>(), 200) << rule;
    EXPECT_GT(counts.size(), 3) << rule;
  }
}

TEST(ApiHistogram, OfPoints) {
  const cp::array x{0.0, 1.0, 1.0}, y{0.0, 1.0, 1.0};
  const auto [counts, x_edges, y_edges] = cp::histogram2d(x, y, {2});
  EXPECT_EQ(counts.to_host<double>(), (Doubles{1, 0, 0, 2}));
  EXPECT_EQ(y_edges.to_host<double>(), (Doubles{0, 0.5, 1}));
  const cp::histogramdd_result grid = cp::histogramdd(cp::array{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, {1, 1, 2});
  EXPECT_EQ(grid.counts.shape(), (cp::shape_type{1, 1, 2}));
  EXPECT_EQ(grid.bin_edges.size(), 3u);
  EXPECT_THROW(cp::histogram2d(x, cp::arange(2.0)), cp::ValueError);
  EXPECT_THROW(cp::histogramdd(cp::zeros({3, 3}), {1, 2}), cp::ValueError);
}

TEST(ApiHistogram, DigitizeRisesAndFalls) {
  const cp::array x{0.2, 6.4, 3.0}, rising{0.0, 1.0, 2.5, 4.0}, falling{4.0, 2.5, 1.0, 0.0};
  EXPECT_EQ(cp::digitize(x, rising).to_host<std::int64_t>(), (Longs{1, 4, 3}));
  EXPECT_EQ(cp::digitize(x, falling).to_host<std::int64_t>(), (Longs{3, 0, 1}));
  EXPECT_THROW(cp::digitize(x, cp::array{0.0, 2.0, 1.0}), cp::ValueError);
}
