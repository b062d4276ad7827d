// The bit generators whose streams can be entered anywhere, as threads read them.
//
// A generator makes its draws in groups (a counter of Philox gives two or four), so the stream is laid out in
// groups: draw 0 is the first of the group that the next draw belongs to, and `first` is the place of that
// next draw. Where the upper half of the last draw waits to be read (BitState::half), that draw is a part of
// the layout too: draw `first` - 1, of which the upper half is still there. So whoever reads parts of draws
// finds them all in a row.
#pragma once

#include "backend/cuda/primitives/random/packed_state.h"
#include "kernels/random/bits.h"

namespace cuprum::cuda::primitives {

namespace random = kernels::random;
using random::uint128;

/// Steps of a congruence at once, x -> multiplier * x + sum * increment, by the digits of their number: six bits each. With one of two
/// steps for every bit, entering the stream took as long as thirty draws.
struct Jump {
  uint128 multiplier, sum;
};
inline constexpr int kDigitBits = 6, kDigits = 8;  // 2^48 draws are 2 PB
struct Jumps {
  Jump of[kDigits][1 << kDigitBits];
};
constexpr Jumps jumps_of(uint128 multiplier) {
  Jumps all = {};
  Jump one = {multiplier, 1};  // of this digit
  for (auto& digit : all.of) {
    Jump steps = {1, 0};
    for (Jump& jump : digit) {
      jump = steps;
      steps = {steps.multiplier * one.multiplier, steps.sum * one.multiplier + one.sum};
    }
    one = steps;
  }
  return all;
}
static __device__ const Jumps pcg64_jumps = jumps_of(random::kPcgMultiplier);
static __device__ const Jumps pcg64dxsm_jumps = jumps_of(random::kPcgCheapMultiplier);

/// PCG64 and PCG64DXSM.
template <BitKind kKind>
class Congruence {
 public:
  static constexpr int kGroup = 1;
  // Groups that a thread makes: with 32, 64M numbers take 0.03 ms longer.
  static constexpr int kRun = 64;

  __device__ explicit Congruence(const StateSource& s)
      : x_(random::join(s[0], s[1])), increment_(random::join(s[2], s[3])), first_(s.half_is_held()) {
    // PCG64 gives what it is stepped to, PCG64DXSM what it is stepped from.
    if constexpr (kKind == BitKind::pcg64) {
      if (first_ == 0) x_ = random::kPcgMultiplier * x_ + increment_;
    } else {
      if (first_ == 1) x_ = (x_ - increment_) * inverse(random::kPcgCheapMultiplier);
    }
  }

  __device__ int first() const { return first_; }
  __device__ void skip(std::uint64_t groups) {
    for (int digit = 0; groups != 0; ++digit, groups >>= kDigitBits) {
      const Jump& steps = jumps().of[digit][groups % (1 << kDigitBits)];
      x_ = steps.multiplier * x_ + steps.sum * increment_;
    }
  }
  /// Skips 2^k groups, again and again.
  struct Stride {
    uint128 multiplier, increment;
  };
  __device__ Stride stride(int k) const {
    const Jump& steps = jumps().of[k / kDigitBits][1 << k % kDigitBits];
    return {steps.multiplier, steps.sum * increment_};
  }
  __device__ void skip(const Stride& s) { x_ = s.multiplier * x_ + s.increment; }
  __device__ void draws(std::uint64_t (&d)[1]) const {
    d[0] = kKind == BitKind::pcg64 ? random::pcg64_output(x_) : random::pcg64dxsm_output(x_);
  }

  /// Stands where another lane's stands.
  __device__ void take_from(int lane) {
    x_ = random::join(__shfl_sync(~0u, static_cast<std::uint64_t>(x_ >> 64), lane),
                      __shfl_sync(~0u, static_cast<std::uint64_t>(x_), lane));
  }

  /// The state whose next draw is draw `at`.
  __device__ static void leave(const StateSource& s, std::uint64_t at, std::uint64_t* words) {
    Congruence g(s);
    g.x_ = random::join(s[0], s[1]);
    g.skip(at - g.first_);
    words[0] = static_cast<std::uint64_t>(g.x_ >> 64);
    words[1] = static_cast<std::uint64_t>(g.x_);
  }

 private:
  /// Modulo 2^128, by Newton's iteration.
  static constexpr uint128 inverse(uint128 odd) {
    uint128 x = odd;
    for (int i = 0; i < 7; ++i) x *= 2 - odd * x;
    return x;
  }
  __device__ static const Jumps& jumps() { return kKind == BitKind::pcg64 ? pcg64_jumps : pcg64dxsm_jumps; }

  uint128 x_, increment_;
  int first_;
};

/// Philox4x32-10: pairs.
class PhiloxPairs {
 public:
  static constexpr int kGroup = 2;
  static constexpr int kRun = 8;

  __device__ explicit PhiloxPairs(const StateSource& s)
      : counter_(s[0]), stream_(s[1]), key_(s[2]), first_(static_cast<int>(s[3])) {
    if (first_ == 0 && s.half_is_held()) {
      --counter_;
      first_ = 2;
    }
  }

  __device__ int first() const { return first_; }
  __device__ void skip(std::uint64_t groups) { counter_ += groups; }
  using Stride = std::uint64_t;
  __device__ Stride stride(int k) const { return Stride{1} << k; }
  __device__ void draws(std::uint64_t (&d)[2]) const {
    const random::Pair64 pair = random::philox4x32(counter_, stream_, key_);
    d[0] = pair.v[0];
    d[1] = pair.v[1];
  }
  __device__ void take_from(int lane) { counter_ = __shfl_sync(~0u, counter_, lane); }

  __device__ static void leave(const StateSource& s, std::uint64_t at, std::uint64_t* words) {
    const PhiloxPairs g(s);
    words[0] = g.counter_ + at / 2;
    words[3] = at % 2;
  }

 private:
  std::uint64_t counter_, stream_, key_;
  int first_;
};

/// Philox4x64-10: blocks of four. The state has the block that is being read, which a program may have set.
class PhiloxBlocks {
 public:
  static constexpr int kGroup = 4;
  static constexpr int kRun = 8;

  __device__ explicit PhiloxBlocks(const StateSource& s)
      : counter_{{s[0], s[1], s[2], s[3]}},
        key0_(s[4]),
        key1_(s[5]),
        block_{{s[6], s[7], s[8], s[9]}},
        first_(static_cast<int>(s[10])) {
    if (first_ == 0 && s.half_is_held()) {
      for (int i = 0; i < 4 && counter_.v[i]-- == 0; ++i) {
      }
      at_ = ~std::uint64_t{0};
      first_ = 4;
    }
  }

  __device__ int first() const { return first_; }
  __device__ void skip(std::uint64_t groups) {
    at_ += groups;
    counter_ = random::counted(counter_, groups);
  }
  using Stride = std::uint64_t;
  __device__ Stride stride(int k) const { return Stride{1} << k; }
  __device__ void draws(std::uint64_t (&d)[4]) const {
    const random::Block64 block = at_ == 0 ? block_ : random::philox4x64(counter_, key0_, key1_);
    for (int k = 0; k < 4; ++k) d[k] = block.v[k];
  }
  __device__ void take_from(int lane) {
    for (int k = 0; k < 4; ++k) counter_.v[k] = __shfl_sync(~0u, counter_.v[k], lane);
    at_ = __shfl_sync(~0u, at_, lane);
  }

  __device__ static void leave(const StateSource& s, std::uint64_t at, std::uint64_t* words) {
    PhiloxBlocks g(s);
    if (at == static_cast<std::uint64_t>(g.first_)) return;
    const std::uint64_t groups = (at - 1) / 4;  // a block is left when the next one is needed
    g.skip(groups);
    std::uint64_t block[4];
    g.draws(block);
    for (int k = 0; k < 4; ++k) {
      words[k] = g.counter_.v[k];
      words[6 + k] = block[k];
    }
    words[10] = at - 4 * groups;
  }

 private:
  random::Block64 counter_;
  std::uint64_t key0_, key1_;
  random::Block64 block_;
  std::uint64_t at_ = 0;  // groups from the one that block_ is of
  int first_;
};

/// Calls f with the generator's class, by name: f.template operator()<G>().
template <class F>
__host__ __device__ void with_generator(BitKind kind, F&& f) {
  switch (kind) {
    case BitKind::pcg64: return f.template operator()<Congruence<BitKind::pcg64>>();
    case BitKind::pcg64dxsm: return f.template operator()<Congruence<BitKind::pcg64dxsm>>();
    case BitKind::philox: return f.template operator()<PhiloxBlocks>();
    default: return f.template operator()<PhiloxPairs>();
  }
}

/// A generator's draws by their place in the layout, with the half that is held.
template <class G>
class Layout {
 public:
  static constexpr int kGroup = G::kGroup;

  __device__ explicit Layout(const StateSource& s)
      : generator(s), half_(s.half()), held_(s.half_is_held() ? generator.first() - 1 : -1) {}

  /// Of group `group`, where the generator stands.
  __device__ void draws(std::int64_t group, std::uint64_t (&d)[kGroup]) const {
    generator.draws(d);
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
      if (group * kGroup + k == held_) d[k] = std::uint64_t{half_} << 32;
    }
  }

  G generator;

 private:
  std::uint32_t half_;
  std::int64_t held_;  // the draw whose upper half that is; -1: none
};

/// Where the next unit lies, of which a draw has `per_draw` (one: those laws leave the half alone).
template <class G>
__device__ std::int64_t first_unit(const StateSource& s, int per_draw) {
  const std::int64_t unit = std::int64_t{G(s).first()} * per_draw;
  return per_draw > 1 && s.half_is_held() ? unit - per_draw / 2 : unit;
}

/// The packed state behind the units before `end`.
template <class G>
__device__ void leave_state(const StateSource& s, std::int64_t end, int per_draw, std::uint64_t* words) {
  for (int i = 0; i < kPackedWords; ++i) words[i] = s[i];
  if (end == first_unit<G>(s, per_draw)) return;
  if (per_draw == 1) return G::leave(s, end, words);
  const std::int64_t per_half = per_draw / 2, halves = (end + per_half - 1) / per_half,
                     draws = (halves + 1) / 2;
  Layout<G> layout(s);
  const std::int64_t last = draws - 1;
  layout.generator.skip(last / G::kGroup);
  std::uint64_t d[G::kGroup];
  layout.draws(last / G::kGroup, d);
  std::uint64_t half = 0;
#pragma unroll
  for (int k = 0; k < G::kGroup; ++k) half = last % G::kGroup == k ? d[k] >> 32 : half;
  G::leave(s, draws, words);
  words[kHalfWord] = std::uint64_t{halves % 2 != 0} << 32 | half;
}

}  // namespace cuprum::cuda::primitives
