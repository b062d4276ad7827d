// A stream of its own for every number: how the laws read Philox4x32, the generator for those who want speed alone.
//
// Number i of a call takes unit i of the generator's stream: 64 bits, or 32, 16 or 8. What it needs beyond (a second try) comes from a
// stream that the place of that unit names. So no number waits for another, the state behind a call is known before it is drawn, and
// numbers are the same in one call and in pieces. A law is the same function of a reader as for any other generator.
#pragma once

#include "kernels/random/bits.h"

#if defined(__CUDACC__)
#define CUPRUM_FN_APART __host__ __device__ __noinline__ inline  // called at many places of a law
#else
#define CUPRUM_FN_APART inline
#endif

CUPRUM_KERNELS_BEGIN

namespace random {

/// A try's stream has another key than the generator's.
inline constexpr uint64 kOwnKey = 0x9b97f4a7c15f39ccu;

/// Two draws of the stream that belongs to the unit at bit `bit` of the block at `counter`.
CUPRUM_FN_APART Pair64 own_draws(uint64 counter, uint64 stream, uint64 key, uint64 bit, uint64 k) {
  return philox4x32(counter, stream + (k << 7 | bit), key ^ kOwnKey);
}

/// Where the units of a call lie: the first begins at bit `first` of the block at `counter`, which has 128. Units below 64 bits begin with
/// the half that is held, if one is: it takes the place of the upper half of the draw before, and may be that of an earlier one.
struct ElementStream {
  uint64 counter, stream, key;
  uint32 first, half;
  bool held;

  /// From the words of a state. `narrow`: units below 64 bits.
  CUPRUM_FN static ElementStream of(uint64 counter, uint64 stream, uint64 key, uint64 read, bool narrow,
                                    bool held, uint32 half) {
    const uint32 bits = static_cast<uint32>(64 * read);
    if (!narrow || !held) return {counter, stream, key, bits, 0, false};
    if (bits == 0) return {counter - 1, stream, key, 96, half, true};
    return {counter, stream, key, bits - 32, half, true};
  }
  CUPRUM_FN Pair64 block(uint64 group) const { return philox4x32(counter + group, stream, key); }
  /// The unit that begins `at` bits behind the first bit of the first block.
  template <class U>
  CUPRUM_FN U unit_at(uint64 at) const {
    if (sizeof(U) < 8 && held && at - first < 32) return static_cast<U>(half >> (at & 31));
    const Pair64 draws = block(at >> 7);
    return static_cast<U>((at & 64 ? draws.v[1] : draws.v[0]) >> (at & 63));
  }
  /// Unit i of the call.
  template <class U>
  CUPRUM_FN U unit(uint64 i) const {
    return unit_at<U>(first + i * (8 * sizeof(U)));
  }
};

/// Reads number i: its unit, then its own stream. `Math` has log1p(x) and exp(x) as the ziggurats want them (normal.h).
template <class U, class Math>
class ElementReader : public Math {
 public:
  CUPRUM_FN ElementReader(const ElementStream& s, uint64 i, const Math& math = {})
      : Math(math), s_(s), at_(s.first + i * (8 * sizeof(U))) {}

  CUPRUM_FN uint64 u64() { return next(); }
  CUPRUM_FN uint32 u32() { return static_cast<uint32>(next()); }
  CUPRUM_FN uint16 u16() { return static_cast<uint16>(next()); }
  CUPRUM_FN uint8 u8() { return static_cast<uint8>(next()); }
  CUPRUM_FN double unit() { return random::unit(next()); }
  CUPRUM_FN float unit_f() { return random::unit(u32()); }

 private:
  CUPRUM_FN_LARGE uint64 next() {
    const uint64 read = read_++;
    if (read == 0) return s_.unit_at<U>(at_);
    if (read & 1) {
      const Pair64 draws = own_draws(s_.counter + (at_ >> 7), s_.stream, s_.key, at_ & 127, read >> 1);
      second_ = draws.v[1];
      return draws.v[0];
    }
    return second_;
  }

  const ElementStream& s_;
  uint64 at_, read_ = 0, second_ = 0;
};

/// The same numbers, of units that are known to need more: it has the first two draws beyond at hand, made by all lanes of a warp at once
/// and not at each place of a law that wants one.
template <class U, class Math>
class HardReader : public Math {
 public:
  CUPRUM_FN HardReader(const ElementStream& s, uint64 i, const Math& math = {})
      : Math(math),
        s_(s),
        at_(s.first + i * (8 * sizeof(U))),
        unit_(s.unit_at<U>(at_)),
        own_(own_draws(s.counter + (at_ >> 7), s.stream, s.key, at_ & 127, 0)) {}

  CUPRUM_FN uint64 u64() { return next(); }
  CUPRUM_FN uint32 u32() { return static_cast<uint32>(next()); }
  CUPRUM_FN uint16 u16() { return static_cast<uint16>(next()); }
  CUPRUM_FN uint8 u8() { return static_cast<uint8>(next()); }
  CUPRUM_FN double unit() { return random::unit(next()); }
  CUPRUM_FN float unit_f() { return random::unit(u32()); }

 private:
  CUPRUM_FN_LARGE uint64 next() {
    const uint64 read = read_++;
    if (read == 0) return unit_;
    if (read & 1) {
      if (read > 1) own_ = own_draws(s_.counter + (at_ >> 7), s_.stream, s_.key, at_ & 127, read >> 1);
      return own_.v[0];
    }
    return own_.v[1];
  }

  const ElementStream& s_;
  uint64 at_, read_ = 0;
  U unit_;
  Pair64 own_;
};

}  // namespace random

CUPRUM_KERNELS_END
