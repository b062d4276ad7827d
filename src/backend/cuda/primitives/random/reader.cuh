// Reads units of a stream one after the other: what the laws of kernels/random draw from, on a device.
//
// A unit is a draw, or its halves, 16 bits or bytes, the lowest first. `Units` says what the unit at a place
// is.
#pragma once

#include "backend/cuda/primitives/random/generators.cuh"
#include "kernels/random/log1p.h"

namespace cuprum::cuda::primitives {

/// Unit `part` of a group of draws. They stay in registers: no index but a constant.
template <class U, int kDraws>
__device__ U unit_of(const std::uint64_t (&draws)[kDraws], int part) {
  constexpr int per_draw = 8 / sizeof(U);
  std::uint64_t draw = draws[0];
#pragma unroll
  for (int k = 1; k < kDraws; ++k) draw = part / per_draw == k ? draws[k] : draw;
  return static_cast<U>(draw >> (part % per_draw * 8 * static_cast<int>(sizeof(U))));
}

/// Units in memory, as far as they have been made. Beyond, they are read from the beginning again: a law that
/// runs over the end comes to an end, and what it gives is not used.
template <class U>
struct UnitsInMemory {
  using Unit = U;
  const U* units;
  std::int32_t limit;

  __device__ U operator()(std::int64_t at) const { return units[at < limit ? at : at % limit]; }
};

/// Units of the stream itself, which is entered for each of them: where few are left to be read. Laws call
/// this at many places, so it is not inlined: the compiler takes minutes otherwise.
template <class U>
struct UnitsOfStream {
  using Unit = U;
  StateSource state;
  BitKind kind;

  __device__ __noinline__ U operator()(std::int64_t at) const {
    constexpr int per_draw = 8 / sizeof(U);
    const std::int64_t draw = at / per_draw;
    U unit = 0;
    with_generator(kind, [&]<class G>() {
      Layout<G> layout(state);
      layout.generator.skip(static_cast<std::uint64_t>(draw / G::kGroup));
      std::uint64_t d[G::kGroup];
      layout.draws(draw / G::kGroup, d);
      unit = unit_of<U>(d, static_cast<int>(at % (G::kGroup * per_draw)));
    });
    return unit;
  }
};

/// What the laws know of a reader, over self.next(). A law reads units of one width.
template <class Self>
class LawReader {
 public:
  __device__ kernels::uint64 u64() { return next(); }
  __device__ kernels::uint32 u32() { return next(); }
  __device__ kernels::uint16 u16() { return next(); }
  __device__ kernels::uint8 u8() { return next(); }
  __device__ double unit() { return random::unit(static_cast<kernels::uint64>(next())); }
  __device__ float unit_f() { return random::unit(static_cast<kernels::uint32>(next())); }
  __device__ double log1p(double x) const { return random::log1p_as(forms_.wide, x); }
  __device__ float log1p(float x) const { return random::log1p_as(forms_.narrow, x); }
  /// The C library's is off by 0.502 units of the last place at most: it is this one but for a few in a
  /// thousand.
  __device__ static float exp(float x) {
    return static_cast<float>(kernels::math::exp(static_cast<double>(x)));
  }

 protected:
  __device__ explicit LawReader(random::Log1pForms forms) : forms_(forms) {}

 private:
  __device__ auto next() { return static_cast<Self*>(this)->next(); }

  random::Log1pForms forms_;
};

template <class Units>
class UnitReader : public LawReader<UnitReader<Units>> {
 public:
  __device__ UnitReader(const Units& units, std::int64_t at, random::Log1pForms forms)
      : LawReader<UnitReader>(forms), units_(units), at_(at) {}

  __device__ std::int64_t at() const { return at_; }
  __device__ typename Units::Unit next() { return units_(at_++); }

 private:
  const Units& units_;
  std::int64_t at_;
};

/// Reads on from a unit of a group, and makes the groups that follow.
template <class G, class U>
class GroupReader : public LawReader<GroupReader<G, U>> {
 public:
  static constexpr int kPerDraw = 8 / sizeof(U), kPerGroup = kPerDraw * G::kGroup;

  /// The layout's generator stands at `group`; `at` is the place of unit `part` of it.
  __device__ GroupReader(const Layout<G>& layout, std::int64_t group, int part, std::int64_t at,
                         random::Log1pForms forms)
      : LawReader<GroupReader>(forms), layout_(layout), group_(group), part_(part), at_(at) {
    layout_.draws(group_, draws_);
  }

  __device__ std::int64_t at() const { return at_; }
  __device__ U next() {
    if (part_ == kPerGroup) {
      layout_.generator.skip(layout_.generator.stride(0));
      layout_.draws(++group_, draws_);
      part_ = 0;
    }
    ++at_;
    return unit_of<U>(draws_, part_++);
  }

 private:
  Layout<G> layout_;
  std::int64_t group_;
  int part_;
  std::int64_t at_;
  std::uint64_t draws_[G::kGroup];
};

}  // namespace cuprum::cuda::primitives
