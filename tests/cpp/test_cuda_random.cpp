// The kernels of random numbers on the CUDA backend, run on the host, against one reader: chains in one pass.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "backend/cpu/random/reader.h"
#include "kernels/random/bounded.h"
#include "kernels/random/normal.h"
#include "random_views.h"
// After all standard headers:
#include "cuda_on_host.h"
using std::max;
using std::min;
//
#include "backend/cuda/primitives/random/easy_elements.cuh"
#include "backend/cuda/primitives/random/tile_walk.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

BitState seeded_with(BitKind kind, std::uint32_t seed) {
  const std::vector<std::uint32_t> entropy = {seed};
  return seeded(kind, SeedPool(entropy, {}).generate_wide(static_cast<std::size_t>(seed_words(kind))));
}

struct Normal {
  using Unit = kernels::uint64;
  using Number = double;
  struct Tables : random::NormalStrips {};
  static void load(Tables&) {}
  static bool easy(const Tables& t, Unit bits, Number& x) { return random::easy_normal(bits, x, t); }
  template <class R>
  Number operator()(R& r) const {
    return random::standard_normal(r);
  }
};
struct NormalFloat {
  using Unit = kernels::uint32;
  using Number = float;
  struct Tables : random::NormalStripsFloat {};
  static void load(Tables&) {}
  static bool easy(const Tables& t, Unit bits, Number& x) { return random::easy_normal(bits, x, t); }
  template <class R>
  Number operator()(R& r) const {
    return random::standard_normal_f(r);
  }
};
/// Many are rejected: numbers of many units, at the ends of segments and tiles too.
template <class U, int kOf16>
struct Masked {
  using Unit = U;
  using Number = U;
  struct Tables {};
  static void load(Tables&) {}
  static bool easy(const Tables&, Unit bits, Number& x) {
    x = bits;
    return (bits & 15) < kOf16;
  }
  template <class R>
  Number operator()(R& r) const {
    U bits;
    do bits = random::next<U>(r);
    while ((bits & 15) >= kOf16);
    return bits;
  }
};

/// What draw_easy_chain does, with so few segments in a round that several are needed.
template <class G, class Law>
void draw_in_tiles(const BitState& from, std::int64_t n, int segments, int rounds, typename Law::Number* out,
                   std::uint64_t* words) {
  using Walk = TileWalk<G, Law>;
  const Draw draw{cuprum::Law::standard_normal, from.kind, nullptr};
  DrawJob job = {draw, from.kind, {}, dtype::float64, out, n, words, {}, {}};
  job.forms = {random::Log1p::fused, random::Log1p::separate};
  pack(from, job.state.words);
  ChainSizes sizes(n, 1.0, Walk::kPerDraw, ChainSizes::kInRegisters);
  sizes.segments = segments;
  std::vector<Progress> progress(static_cast<std::size_t>(rounds) + 1);
  auto round = round_of(job, sizes, Law(), Walk(), progress.data());
  run_grid(1, 1, 1, [&] { begin_progress<G>(job.state, round.kPerDraw, round.progress); });
  const unsigned tiles = static_cast<unsigned>((segments + Walk::kWarps - 1) / Walk::kWarps);
  for (int r = 0; r < rounds; ++r, ++round.progress) {
    unsigned ticket = 0;
    std::vector<std::uint64_t> exits(tiles), counts(tiles);
    run_grid(tiles, 1, 32 * Walk::kWarps, [&] {
      draw_tiles<G, Law>(round, TileWords{&ticket, exits.data(), counts.data()});
    });
  }
  run_grid(1, 1, 1, [&] { finish(round, words); });
}

template <class G, class Law>
void expect_one_reader(BitKind kind, std::int64_t n, int segments, int rounds, bool held) {
  BitState from = seeded_with(kind, 9);
  from.half_is_held = held;
  cpu::Reader reader(from);
  std::vector<typename Law::Number> expected(static_cast<std::size_t>(n)), got(expected.size());
  for (auto& x : expected) x = Law()(reader);
  std::vector<std::uint64_t> words(kPackedWords);
  draw_in_tiles<G, Law>(from, n, segments, rounds, got.data(), words.data());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_LE(std::abs(static_cast<double>(got[i]) - static_cast<double>(expected[i])),
              1e-6 * std::abs(static_cast<double>(expected[i])))
        << i << " of " << n;
  }
  EXPECT_EQ(unpack(kind, words.data()), reader.state());
}

template <class Law>
void expect_chains(std::int64_t n, int segments, int rounds) {
  for (const bool held : {false, true}) {
    expect_one_reader<Congruence<BitKind::pcg64>, Law>(BitKind::pcg64, n, segments, rounds, held);
    expect_one_reader<PhiloxBlocks, Law>(BitKind::philox, n, segments, rounds, held);
  }
}

TEST(CudaRandom, ChainsOfEasyUnits) {
  expect_chains<Normal>(1, 1, 1);
  expect_chains<Normal>(20'000, 21, 1);
  expect_chains<NormalFloat>(20'000, 21, 1);
}
TEST(CudaRandom, ChainsOverSeveralRounds) {
  expect_chains<Normal>(30'000, 8, 4);
  expect_chains<NormalFloat>(9'001, 4, 3);
}
TEST(CudaRandom, TooFewRounds) { expect_chains<Normal>(9'000, 4, 2); }
TEST(CudaRandom, ChainsOfManyRejections) {
  expect_chains<Masked<kernels::uint64, 8>>(5'000, 12, 1);
  expect_chains<Masked<kernels::uint32, 1>>(1'000, 20, 1);
  expect_chains<Masked<kernels::uint8, 1>>(1'000, 20, 1);
  expect_chains<Masked<kernels::uint16, 5>>(3'000, 4, 3);
}

/// What launch_easy does, from every place of a block, against the law by itself.
template <bool kSure, class L>
void expect_elements(const L& law, std::int64_t n) {
  using T = typename L::Number;
  for (const int read : {0, 1}) {
    for (const bool held : {false, true}) {
      BitState from = seeded_with(BitKind::philox4x32, 7);
      from.words[3] = static_cast<std::uint64_t>(read);
      from.half_is_held = held;
      from.half = 0x12345678;
      std::vector<T> expected(static_cast<std::size_t>(n)), got(expected.size());
      const Draw draw{cuprum::Law::random, from.kind, nullptr};
      DrawJob job = {draw, from.kind, {}, dtype::float64, got.data(), n, nullptr, {}, {}};
      job.forms = {random::Log1p::fused, random::Log1p::separate};
      pack(from, job.state.words);
      ElementJob<L> elements(job, law);
      run_grid(3, 1, kElementThreads, [&] { draw_easy<L, kSure>(elements); });
      if (elements.stream.held) {
        elements.n = std::min<std::int64_t>(n, 4 / sizeof(typename L::Unit));
        run_grid(1, 1, kElementThreads, [&] { draw_each(elements); });
      }
      elements.n = n;
      elements.out = expected.data();
      for (std::int64_t i = 0; i < n; ++i) elements.draw(i, law);
      for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], expected[i]) << i << " of " << n;
    }
  }
}

TEST(CudaRandom, NumbersWithStreamsOfTheirOwn) {
  using kernels::uint32;
  using kernels::uint64;
  using kernels::uint8;
  const random::LawBits none = {};
  for (const std::int64_t n : {1, 4, 4095, 13'001}) {
    expect_elements<true>(random::RandomElement(none), n);
    expect_elements<true>(random::RandomElementFloat(none), n);
    expect_elements<false>(random::NormalElement(none), n);
    expect_elements<false>(random::NormalElementFloat(none), n);
    expect_elements<false>(random::GammaElement(2.5, 2.0), n);
    expect_elements<false>(random::IntegerElement<uint64, uint32>({{5, 3u << 29, 0}}, false), n);
    expect_elements<false>(random::IntegerElement<uint8, uint8>({{5, 99, 0}}, true), n);
    expect_elements<true>(random::IntegerElement<uint64, uint64>({{5, ~uint64{0}, 0}}, false), n);
  }
}

}  // namespace
}  // namespace cuprum
