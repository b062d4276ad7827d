// Fourier transforms on the CPU backend against their definition: every way that a plan goes, layouts, cropping and padding; the
// roots of unity; and the cache of plans.
#include <cmath>
#include <complex>

#include "backend/cpu/backend.h"
#include "backend/cpu/fft/axis_plans.h"
#include "backend/cpu/fft/factors.h"
#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;
using Kind = Fft::Kind;

Owned random_points(Rng& rng, dtype type, const Dims& shape) {
  Owned view = random_layout(rng, type, shape);
  std::normal_distribution<> normal;
  fill(view, [&] {
    return reference::cast(Scalar::of(dtype::complex128, std::complex<double>(normal(rng), normal(rng))),
                           type);
  });
  return view;
}

std::complex<double> element(const View& view, const Dims& at) {
  const Scalar z =
      reference::cast(reference::load(view.type, reference::address(view, at)), dtype::complex128);
  return z.as<std::complex<double>>();
}

/// The norm of the difference is below 3 eps sqrt(log2 n + 1) times that of the result: every level of butterflies rounds once.
void expect_close(const View& got, const View& want, double points, const std::string& what) {
  double error = 0, size = 0;
  reference::each(want.shape, [&](const Dims& at) {
    error += std::norm(element(got, at) - element(want, at));
    size += std::norm(element(want, at));
  });
  const double eps = itemsize(real_type(want.type)) == 8 ? 2.2e-16 : 1.2e-7;
  EXPECT_LE(std::sqrt(error), 3 * eps * std::sqrt(std::log2(points) + 1) * std::sqrt(size)) << what;
}

void check(Rng& rng, const Fft& p, dtype in_type, const Dims& in_shape) {
  Dims shape = in_shape;
  double points = 2;
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    const bool halved = p.kind == Kind::from_real && i + 1 == p.axes.size();
    shape[static_cast<std::size_t>(p.axes[i])] = halved ? p.lengths[i] / 2 + 1 : p.lengths[i];
    points *= static_cast<double>(p.lengths[i]);
  }
  const bool wide = itemsize(real_type(in_type)) == 8;
  const dtype out_type = p.kind == Kind::to_real ? real_type(in_type)
                         : wide                  ? dtype::complex128
                                                 : dtype::complex64;
  const Owned in = random_points(rng, in_type, in_shape), before = copy_of(in);
  const Owned want = random_layout(rng, out_type, shape, true);
  const View operand = in;
  reference::call(p, {&operand, 1}, want);
  with_threads([&](int) {
    const Owned out = empty_like(rng, out_type, shape);
    cpu::call(p, {&operand, 1}, out);
    expect_close(out, want, points, "length " + to_string(p.lengths) + " of " + to_string(in_shape));
    expect_same(in, before, "the operand");
  });
}

TEST(Fft, EveryWayOfAPlan) {
  Rng rng(1);
  for (std::int64_t n : {1,  2,  3,  4,  5,  6,   7,   8,   11,  13,  16,  17,  30,  37,  48,
                         53, 59, 64, 77, 97, 101, 128, 143, 210, 211, 225, 256, 315, 360, 1001}) {
    for (std::int64_t rows : {1, 2, 7, 17}) {
      for (bool wide : {false, true}) {
        const dtype real = wide ? dtype::float64 : dtype::float32,
                    points = wide ? dtype::complex128 : dtype::complex64;
        const bool backward = pick(rng, 0, 1);
        check(rng, {Kind::points, backward, {1}, {n}, 0.5}, points, {rows, n});
        check(rng, {Kind::points, backward, {1}, {n}, 1.0}, real, {rows, n});
        check(rng, {Kind::from_real, backward, {1}, {n}, 2.0}, real, {rows, n});
        check(rng, {Kind::to_real, backward, {1}, {n}, 1.0}, points, {rows, n / 2 + 1});
      }
    }
  }
}

TEST(Fft, AxesCropsAndPads) {
  Rng rng(2);
  for (int round = 0; round < 60; ++round) {
    Dims shape, axes, lengths;
    for (int d = 0; d < 3; ++d) shape.push_back(pick(rng, round % 7 == 0 ? 0 : 1, 9));
    for (std::int64_t d : {pick(rng, 0, 2), pick(rng, 0, 2)}) {
      if (!axes.empty() && axes[0] == d) continue;
      axes.push_back(d);
      lengths.push_back(pick(rng, 1, 12));
    }
    const bool backward = pick(rng, 0, 1);
    check(rng, {Kind::points, backward, axes, lengths, 1.5}, dtype::complex128, shape);
    check(rng, {Kind::points, backward, axes, lengths, 1.5}, dtype::float32, shape);
    check(rng, {Kind::from_real, backward, axes, lengths, 1.5}, dtype::float64, shape);
    check(rng, {Kind::to_real, backward, axes, lengths, 1.5}, dtype::complex64, shape);
  }
}

TEST(Fft, RootsAreRoundedOnce) {
  for (std::int64_t n : {1, 2, 3, 8, 12, 100, 1009, 4096, 1000000}) {
    const cpu::fft::Roots roots(n);
    for (std::int64_t i = 0; i < 200; ++i) {
      const std::int64_t k = i * (n / 200 + 1) % n;
      const auto [c, s] = roots(k);
      const long double angle =
          -2 * std::acos(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
      EXPECT_NEAR(static_cast<double>(c - std::cos(angle)), 0, 1e-18) << n << " " << k;
      EXPECT_NEAR(static_cast<double>(s - std::sin(angle)), 0, 1e-18) << n << " " << k;
    }
  }
  const cpu::fft::Roots eight(8);
  EXPECT_EQ(eight(2).first, 0.0L);  // quarters of a turn are exact
  EXPECT_EQ(eight(2).second, -1.0L);
  EXPECT_EQ(eight(4).first, -1.0L);
  EXPECT_EQ(static_cast<double>(eight(1).first), -static_cast<double>(eight(1).second));
}

TEST(Fft, Factors) {
  using namespace cpu::fft;
  for (std::int64_t n : {1, 2, 6, 64, 360, 1024, 1155, 2662, 9797}) {
    std::int64_t product = 1;
    for (std::int64_t r : radices(n)) product *= r;
    EXPECT_EQ(product, n);
    EXPECT_EQ(best_split(n).n1 * best_split(n).n2, n);
  }
  EXPECT_EQ(largest_prime_factor(2 * 3 * 101), 101);
  for (std::int64_t n : {1, 7, 201, 2017, 20013}) {
    const std::int64_t m = good_length(n);
    EXPECT_GE(m, n);
    EXPECT_LE(m, 2 * n);
    EXPECT_LE(largest_prime_factor(m), 7);
  }
}

TEST(Fft, CacheKeepsWhatFits) {
  cpu::fft::CpuPlanCache cache;
  const auto get = [&](std::int64_t n, const FftPlanCache::Plan& held = nullptr) {
    const View view{{}, dtype::complex128, {n}, {16}, {}};
    return cache.get({Kind::points, false, {0}, {n}, 1}, view, view, held);
  };
  cache.set_bounds(2, -1);
  const auto first = get(10);
  EXPECT_EQ(get(10), first);
  get(20);
  get(10);
  const auto third = get(30);  // 20 goes
  EXPECT_EQ(get(10), first);
  EXPECT_EQ(cache.counts().current_size, 2);
  EXPECT_EQ(cache.counts().hits, 3u);
  EXPECT_EQ(cache.counts().misses, 3u);
  EXPECT_TRUE(cache.use(third->key()));
  EXPECT_EQ(cache.plans().front(), third);
  EXPECT_TRUE(cache.forget(first->key()));
  EXPECT_FALSE(cache.forget(first->key()));
  EXPECT_EQ(cache.counts().current_memsize, static_cast<std::int64_t>(third->bytes()));
  cache.set_bounds(-1, 0);
  EXPECT_EQ(cache.counts().current_size, 0);
  EXPECT_EQ(cache.counts().current_memsize, 0);
  EXPECT_EQ(get(10, first), first);  // held, though the cache has it no more
  EXPECT_NE(get(11, first), first);
}

TEST(Fft, PlansShareTables) {
  const auto plan = [](const Dims& lengths) {
    return std::make_shared<const cpu::fft::AxisPlans>(FftPlan::Key{Kind::points, false, true, lengths, {}});
  };
  const auto one = plan({64}), cube = plan({64, 64, 64}), two = plan({32, 64});
  EXPECT_EQ(&(*one)[0], &(*cube)[2]);
  EXPECT_EQ(&(*one)[0], &(*two)[1]);
  EXPECT_EQ(one->bytes(), cube->bytes());
  EXPECT_GT(two->bytes(), one->bytes());
}

}  // namespace
}  // namespace cuprum
