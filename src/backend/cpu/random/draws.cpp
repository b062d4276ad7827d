// Draws of every kind, many at a time.
#include <bit>

#include "backend/cpu/random/reader.h"
#include "backend/cpu/simd/random_bits.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;

/// The draws of a congruence that stands at x, of which PCG64 gives what it is stepped to.
void fill_congruence(const BitState& s, random::uint128 x, std::int64_t n, std::uint64_t* out) {
  const Congruence from = {static_cast<std::uint64_t>(x >> 64), static_cast<std::uint64_t>(x), s.words[2],
                           s.words[3]};
  if (s.kind == BitKind::pcg64)
    CUPRUM_CALL_LEVEL(pcg64_draws(from, n, out));
  else
    CUPRUM_CALL_LEVEL(pcg64dxsm_draws(from, n, out));
}

/// 2^k steps are x -> multiplier[k] * x + sum[k] * increment.
struct JumpFactors {
  random::uint128 multiplier[64] = {}, sum[64] = {};

  explicit constexpr JumpFactors(random::uint128 one) {
    random::uint128 all = 1;
    for (int k = 0; k < 64; ++k) {
      multiplier[k] = one;
      sum[k] = all;
      all *= one + 1;
      one *= one;
    }
  }
};
constexpr JumpFactors kPcg64Jumps{random::kPcgMultiplier}, kPcg64DxsmJumps{random::kPcgCheapMultiplier};

/// Blocks of four; those of which the state has read a part, or reads one, go through the state.
void fill_philox(BitState& s, std::int64_t n, std::uint64_t* out) {
  for (; n > 0 && s.words[10] != 4; --n) *out++ = draw(s);
  random::Block64 counter = {{s.words[0], s.words[1], s.words[2], s.words[3]}};
  const std::int64_t whole = n / 4 * 4;
  for (std::int64_t i = 0; i + 4 < whole; i += 4) {
    counter = random::counted(counter, 1);
    const random::Block64 block = random::philox4x64(counter, s.words[4], s.words[5]);
    for (int k = 0; k < 4; ++k) out[i + k] = block.v[k];
  }
  std::int64_t done = whole > 4 ? whole - 4 : 0;
  for (std::size_t k = 0; k < 4; ++k) s.words[k] = counter.v[k];
  for (; done < n; ++done) out[done] = draw(s);
}

void fill_philox4x32(BitState& s, std::int64_t n, std::uint64_t* out) {
  if (n > 0 && s.words[3] == 1) {
    *out++ = draw(s);
    --n;
  }
  CUPRUM_CALL_LEVEL(philox4x32_draws(s.words[0], s.words[1], s.words[2], n / 2, out));
  s.words[0] += static_cast<std::uint64_t>(n / 2);
  if (n % 2 != 0) out[n - 1] = draw(s);
}

template <class G>
void fill_steps(G& g, std::int64_t n, std::uint64_t* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = g.next();
}

}  // namespace

void fill_draws(BitState& s, std::int64_t n, std::uint64_t* out) {
  switch (s.kind) {
    case BitKind::pcg64:
    case BitKind::pcg64dxsm: {
      BitState first = s;
      if (s.kind == BitKind::pcg64) skip(first, 1);
      fill_congruence(s, random::join(first.words[0], first.words[1]), n, out);
      return skip(s, static_cast<std::uint64_t>(n));
    }
    case BitKind::philox: return fill_philox(s, n, out);
    case BitKind::philox4x32: return fill_philox4x32(s, n, out);
    case BitKind::sfc64: {
      random::Sfc64 g = {s.words[0], s.words[1], s.words[2], s.words[3]};
      fill_steps(g, n, out);
      s.words[0] = g.a, s.words[1] = g.b, s.words[2] = g.c, s.words[3] = g.count;
      return;
    }
    case BitKind::xorwow:
    case BitKind::mrg32k3a:
      for (std::int64_t i = 0; i < n; ++i) out[i] = draw(s);
      return;
    case BitKind::mt19937: return;  // has its own tiles
  }
}

void fill_draws_at(const BitState& from, std::int64_t first, std::int64_t n, std::uint64_t* out) {
  if (from.kind != BitKind::pcg64 && from.kind != BitKind::pcg64dxsm) {
    BitState state = from;
    skip(state, static_cast<std::uint64_t>(first));
    return fill_draws(state, n, out);
  }
  const JumpFactors& jumps = from.kind == BitKind::pcg64 ? kPcg64Jumps : kPcg64DxsmJumps;
  const random::uint128 increment = random::join(from.words[2], from.words[3]);
  random::uint128 x = random::join(from.words[0], from.words[1]);
  auto steps = static_cast<std::uint64_t>(first) + (from.kind == BitKind::pcg64);
  for (; steps != 0; steps &= steps - 1) {
    const int k = std::countr_zero(steps);
    x = jumps.multiplier[k] * x + jumps.sum[k] * increment;
  }
  fill_congruence(from, x, n, out);
}

}  // namespace cuprum::cpu
