// Draws of every kind, many at a time.
#include "backend/cpu/random/reader.h"
#include "backend/cpu/simd/random_bits.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;

Congruence one_step(const BitState& s) {
  const random::uint128 multiplier =
      s.kind == BitKind::pcg64 ? random::kPcgMultiplier : random::kPcgCheapMultiplier;
  return {static_cast<std::uint64_t>(multiplier >> 64), static_cast<std::uint64_t>(multiplier), s.words[2],
          s.words[3]};
}

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
    case BitKind::pcg64: {  // gives what it is stepped to
      BitState first = s;
      skip(first, 1);
      CUPRUM_CALL_LEVEL(pcg64_draws(first.words[0], first.words[1], one_step(s), n, out));
      return skip(s, static_cast<std::uint64_t>(n));
    }
    case BitKind::pcg64dxsm:
      CUPRUM_CALL_LEVEL(pcg64dxsm_draws(s.words[0], s.words[1], one_step(s), n, out));
      return skip(s, static_cast<std::uint64_t>(n));
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

}  // namespace cuprum::cpu
