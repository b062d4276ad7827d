// Reads units of a stream one after the other: what the laws of kernels/random draw from, on a device.
//
// A unit is a draw, or its halves, 16 bits or bytes, the lowest first. `Units` says what the unit at a place is.
#pragma once

#include "backend/cuda/primitives/random/generators.cuh"
#include "kernels/random/log1p.h"

namespace cuprum::cuda::primitives {

/// Units in memory, as far as they have been made. Beyond, they are read from the beginning again: a law that runs over the end comes to an end,
/// and what it gives is not used.
template <class U>
struct UnitsInMemory {
  using Unit = U;
  const U* units;
  std::int32_t limit;

  __device__ U operator()(std::int64_t at) const { return units[at < limit ? at : at % limit]; }
};

/// Units of the stream itself, which is entered for each of them: where few are left to be read.
template <class U>
struct UnitsOfStream {
  using Unit = U;
  StateSource state;
  BitKind kind;

  __device__ U operator()(std::int64_t at) const {
    constexpr int per_draw = 8 / sizeof(U);
    const std::int64_t draw = at / per_draw;
    std::uint64_t bits = 0;
    with_generator(kind, [&]<class G>() {
      Layout<G> layout(state);
      layout.generator.skip(static_cast<std::uint64_t>(draw / G::kGroup));
      std::uint64_t d[G::kGroup];
      layout.draws(draw / G::kGroup, d);
      for (int k = 0; k < G::kGroup; ++k) bits = draw % G::kGroup == k ? d[k] : bits;
    });
    return static_cast<U>(bits >> (at % per_draw * 8 * sizeof(U) % 64));
  }
};

template <class Units>
class UnitReader {
 public:
  using Unit = typename Units::Unit;

  __device__ UnitReader(const Units& units, std::int64_t at, random::Log1pForms forms)
      : units_(units), at_(at), forms_(forms) {}

  __device__ std::int64_t at() const { return at_; }
  __device__ Unit next() { return units_(at_++); }

  // What the laws know of a reader. A law reads units of one width.
  __device__ kernels::uint64 u64() { return next(); }
  __device__ kernels::uint32 u32() { return next(); }
  __device__ kernels::uint16 u16() { return next(); }
  __device__ kernels::uint8 u8() { return next(); }
  __device__ double unit() { return random::unit(static_cast<kernels::uint64>(next())); }
  __device__ float unit_f() { return random::unit(static_cast<kernels::uint32>(next())); }
  __device__ double log1p(double x) const { return random::log1p_as(forms_.wide, x); }
  __device__ float log1p(float x) const { return random::log1p_as(forms_.narrow, x); }
  /// The C library's is off by 0.502 units of the last place at most: it is this one but for a few in a thousand.
  __device__ static float exp(float x) {
    return static_cast<float>(kernels::math::exp(static_cast<double>(x)));
  }

 private:
  const Units& units_;
  std::int64_t at_;
  random::Log1pForms forms_;
};

}  // namespace cuprum::cuda::primitives
