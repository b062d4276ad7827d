// Bit generators that skip, seeds, and numbers that many threads draw as one reader would.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "backend/cpu/random/job.h"
#include "backend/cpu/threads.h"
#include "core/random_bits.h"
#include "cuprum/cuprum.h"
#include "kernels/random/continuous.h"
#include "kernels/random/log1p.h"

namespace cuprum {
namespace {

BitState seeded_with(BitKind kind, std::uint32_t seed) {
  const std::vector<std::uint32_t> entropy = {seed};
  return seeded(kind, SeedPool(entropy, {}).generate_wide(static_cast<std::size_t>(seed_words(kind))));
}

/// numpy.random.SeedSequence(42).generate_state(2), PCG64(42).random_raw(), ...
TEST(Random, NumbersAreNumpys) {
  const std::vector<std::uint32_t> entropy = {42};
  EXPECT_EQ(SeedPool(entropy, {}).generate(2), (std::vector<std::uint32_t>{3444837047u, 2669555309u}));
  BitState pcg = seeded_with(BitKind::pcg64, 42);
  EXPECT_EQ(draw(pcg), 14276969152011380360u);
  const random::generator rng(42);
  EXPECT_EQ(rng.random({1}).item<double>(), 0.7739560485559633);
}

TEST(Random, SkipsAreDraws) {
  for (int k = 0; k < kBitKinds; ++k) {
    for (const std::uint64_t n : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 624u, 1000u}) {
      BitState stepped = seeded_with(static_cast<BitKind>(k), 7), skipped = stepped;
      for (int before = 0; before < 3; ++before) {
        for (std::uint64_t i = 0; i < n; ++i) draw(stepped);
        skip(skipped, n);
        EXPECT_EQ(stepped, skipped) << k << " " << n;
      }
      std::vector<std::uint64_t> words(packed_size(stepped.kind));
      pack(stepped, words.data());
      EXPECT_EQ(unpack(stepped.kind, words.data()), stepped);
    }
  }
}

TEST(Random, DrawsInBulkAreDraws) {
  for (int k = 0; k < kBitKinds; ++k) {
    if (static_cast<BitKind>(k) == BitKind::mt19937) continue;
    BitState one = seeded_with(static_cast<BitKind>(k), 3), many = one;
    for (const std::int64_t n : {1, 2, 3, 5, 16, 17, 1000}) {
      std::vector<std::uint64_t> draws(static_cast<std::size_t>(n));
      cpu::fill_draws(many, n, draws.data());
      for (const std::uint64_t x : draws) EXPECT_EQ(x, draw(one)) << k;
      EXPECT_EQ(one, many) << k;
    }
  }
}

/// A law that takes one to five draws, and is far from meeting soon: blocks are read anew.
struct Hesitating {
  double operator()(cpu::Reader& r) const {
    double sum = r.unit();
    for (int i = static_cast<int>(sum * 5); i > 0; --i) sum += r.unit();
    return sum;
  }
};

template <class Law>
void expect_chain_is_a_reader(std::int64_t n) {
  const BitState from = seeded_with(BitKind::pcg64, 9);
  std::vector<double> alone(static_cast<std::size_t>(n)), together(alone.size());
  cpu::Reader reader(from);
  for (double& x : alone) x = Law()(reader);
  const Law law;
  cpu::Chain<double, cpu::Reads::wide, 1, Law> chain(from, law, n, together.data());
  const BitState after = chain.run();
  EXPECT_EQ(alone, together);
  EXPECT_EQ(after, reader.state());
}

/// Always an even number of draws: a reader that begins at an odd place never meets the others.
struct Even {
  double operator()(cpu::Reader& r) const {
    const double x = r.unit();
    return x + r.unit();
  }
};

TEST(Random, ManyThreadsReadAsOne) {
  const int before = cpu::num_threads();
  for (const int threads : {1, 2, 5}) {
    cpu::set_num_threads(threads);
    for (const std::int64_t n : {4097, 50000, 700000}) {
      expect_chain_is_a_reader<Hesitating>(n);
      expect_chain_is_a_reader<Even>(n);
    }
  }
  cpu::set_num_threads(before);
}

/// Halves of draws, one by one or in bulk; how many numbers were made, those before a block included.
struct Halves {
  using Unit = std::uint32_t;
  std::atomic<std::int64_t>& made;

  std::uint32_t operator()(cpu::Reader& r) const {
    ++made;
    return r.u32();
  }
  cpu::Run run(const std::uint32_t* units, std::int64_t n, std::uint32_t* out) const {
    made += n;
    std::copy_n(units, n, out);
    return {n, n, false};
  }
};

/// A block ends where the next one begins, whether a half is left before the first or not: none is read twice.
TEST(Random, BlocksOfHalvesMeet) {
  for (const bool held : {false, true}) {
    BitState from = seeded_with(BitKind::pcg64, 9);
    from.half_is_held = held;
    const std::int64_t n = 300000;
    std::vector<std::uint32_t> alone(static_cast<std::size_t>(n)), together(alone.size());
    cpu::Reader reader(from);
    for (std::uint32_t& x : alone) x = reader.u32();
    std::atomic<std::int64_t> made = 0;
    const Halves law{made};
    cpu::Chain<std::uint32_t, cpu::Reads::narrow, 2, Halves> chain(from, law, n, together.data());
    EXPECT_EQ(chain.run(), reader.state());
    EXPECT_EQ(alone, together);
    EXPECT_LT(made, n + n / 10);
  }
}

/// Which form the C library has depends on its version and the processor; each is a logarithm.
TEST(Random, Log1pOfTheCLibrary) {
  using kernels::random::Log1p;
  using kernels::random::log1p_as;
  BitState bits = seeded_with(BitKind::pcg64, 3);
  int separate = 0, fused = 0, separate_f = 0, rounded_f = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t draws = draw(bits) >> (i % 8 == 0 ? i / 8 % 50 : 0);  // small ones too
    const double x = -kernels::random::unit(static_cast<kernels::uint64>(draws)), expected = std::log1p(x);
    EXPECT_DOUBLE_EQ(log1p_as(Log1p::separate, x), expected);
    EXPECT_DOUBLE_EQ(log1p_as(Log1p::fused, x), expected);
    separate += log1p_as(Log1p::separate, x) != expected;
    fused += log1p_as(Log1p::fused, x) != expected;
    const float y = -kernels::random::unit(static_cast<kernels::uint32>(draws >> 32)),
                expected_f = std::log1p(y);
    EXPECT_FLOAT_EQ(log1p_as(Log1p::separate, y), expected_f);
    separate_f += log1p_as(Log1p::separate, y) != expected_f;
    rounded_f += log1p_as(Log1p::rounded, y) != expected_f;
  }
#if defined(__GLIBC__)
  EXPECT_EQ(std::min(separate, fused), 0);
  EXPECT_EQ(std::min(separate_f, rounded_f), 0);
#endif
}

TEST(Random, Generator) {
  const random::generator rng(1), same(1), other(2, random::bits::philox);
  EXPECT_EQ(rng.normal(1.0, 2.0, {5}).to_host<double>(), same.normal(1.0, 2.0, {5}).to_host<double>());
  EXPECT_EQ(sort(other.permutation(10)).to_host<std::int64_t>(), arange(10).to_host<std::int64_t>());
  EXPECT_EQ(rng.choice(10, 4).shape(), (shape_type{4}));
  EXPECT_EQ(rng.law("wald", {1.0, 2.0}, {3}).shape(), (shape_type{3}));
  EXPECT_THROW(rng.normal(0.0, -1.0), ValueError);
  EXPECT_THROW(rng.law("nothing", {}), ValueError);
  EXPECT_THROW(rng.choice(3, 4), ValueError);
}

/// numpy.random.default_rng(7).multinomial(20, [0.2, 0.3, 0.5], 2), ...
TEST(Random, VectorsAreNumpys) {
  using Longs = std::vector<std::int64_t>;
  const array shares{0.2, 0.3, 0.5};
  const auto rng = [] { return random::generator(7); };
  EXPECT_EQ(rng().multinomial(20, shares, {2}).to_host<std::int64_t>(), (Longs{4, 8, 8, 5, 4, 11}));
  EXPECT_EQ(rng().multinomial(array{3, 9}, shares).shape(), (shape_type{2, 3}));
  EXPECT_EQ(rng().dirichlet(array{1.0, 2.0}).to_host<double>(),
            (std::vector<double>{0.2535593346998107, 0.7464406653001893}));
  EXPECT_EQ(rng().multivariate_hypergeometric(array{4, 6, 2}, 5).to_host<std::int64_t>(), (Longs{1, 3, 1}));
  EXPECT_EQ(rng().multivariate_hypergeometric(array{4, 6, 2}, 5, {}, "count").to_host<std::int64_t>(),
            (Longs{1, 2, 2}));
}

TEST(Random, NormalVectors) {
  const array mean{1.0, -2.0}, cov{{4.0, 1.0}, {1.0, 3.0}};
  const auto rng = [] { return random::generator(7); };
  const std::vector<double> svd = rng().multivariate_normal(mean, cov).to_host<double>(),
                            expected = {0.7553511097805956, -1.6091781145769763};
  EXPECT_NEAR(svd[0], expected[0], 1e-14);
  EXPECT_NEAR(svd[1], expected[1], 1e-14);
  for (const char* method : {"svd", "eigh", "cholesky"})
    EXPECT_EQ(rng().multivariate_normal(mean, cov, {4, 3}, {.method = method}).shape(),
              (shape_type{4, 3, 2}));
  const array none{{1.0, 2.0}, {2.0, 1.0}};
  EXPECT_EQ(rng().multivariate_normal(mean, none).shape(), (shape_type{2}));
  EXPECT_THROW(rng().multivariate_normal(mean, none, {}, {.check_valid = "raise"}), ValueError);
  EXPECT_THROW(rng().multivariate_normal(mean, none, {}, {.method = "cholesky"}), LinAlgError);
  EXPECT_NO_THROW(rng().multivariate_normal(mean, none, {}, {.check_valid = "raise", .tol = 5}));
}

TEST(Random, VectorsRefuseWhatNumpyRefuses) {
  const random::generator rng(1);
  EXPECT_THROW(rng.multinomial(-1, array{0.5, 0.5}), ValueError);
  EXPECT_THROW(rng.multinomial(1, array{0.5, 0.6, 0.1}), ValueError);
  EXPECT_THROW(rng.multinomial(array{1.5}, array{0.5, 0.5}), TypeError);
  EXPECT_THROW(rng.multinomial(array{1, 2}, array{0.5, 0.5}, {3}), ValueError);
  EXPECT_THROW(rng.dirichlet(array{-1.0, 1.0}), ValueError);
  EXPECT_THROW(rng.dirichlet(array(1.0)), TypeError);
  EXPECT_THROW(rng.multivariate_hypergeometric(array{1, 2}, 4), ValueError);
  EXPECT_THROW(rng.multivariate_hypergeometric(array{1.5, 2.0}, 1), ValueError);
  EXPECT_THROW(rng.multivariate_hypergeometric(array{1, 2}, 1, {}, "no"), ValueError);
  EXPECT_THROW(rng.multivariate_normal(array{0.0}, array{{1.0, 2.0}}), ValueError);
  EXPECT_THROW(rng.multivariate_normal(array{0.0}, array{{1.0}}, {}, {.method = "no"}), ValueError);
}

}  // namespace
}  // namespace cuprum
