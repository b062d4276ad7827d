// The bit generators: how a state gives its next 64 (or 32) random bits, and how it skips draws.
//
// PCG64 and PCG64DXSM (O'Neill; a linear congruence of 128 bits) and Philox (Salmon et al.; a counter that is mixed) can be entered
// anywhere, so that many threads read one stream. SFC64 (Doty-Humphrey) and MT19937 (Matsumoto and Nishimura) are read one after
// the other. All give what NumPy's give. XORWOW (Marsaglia), MRG32k3a (L'Ecuyer) and Philox4x32-10 have CuPy's names; their
// numbers are ours.
#pragma once

#include "kernels/types.h"

CUPRUM_KERNELS_BEGIN

namespace random {

using uint128 = unsigned __int128;

CUPRUM_FN uint128 join(uint64 high, uint64 low) { return static_cast<uint128>(high) << 64 | low; }
CUPRUM_FN uint64 rotate_left(uint64 x, int n) { return x << n | x >> ((64 - n) & 63); }

// -- A congruence: state * multiplier + increment.

inline constexpr uint128 kPcgMultiplier =
    static_cast<uint128>(0x2360ed051fc65da4u) << 64 | 0x4385df649fccf645u;
inline constexpr uint128 kPcgCheapMultiplier = 0xda942042e4dd58b5u;

/// n steps as one: x -> multiplier * x + increment.
struct Steps {
  uint128 multiplier = 1, increment = 0;

  CUPRUM_FN uint128 operator()(uint128 x) const { return multiplier * x + increment; }
};
CUPRUM_FN_LARGE Steps steps_of(uint128 multiplier, uint128 increment, uint128 n) {
  Steps all;
  for (; n != 0; n >>= 1) {
    if (n & 1) all = {all.multiplier * multiplier, all.increment * multiplier + increment};
    increment *= multiplier + 1;
    multiplier *= multiplier;
  }
  return all;
}

/// What a state of PCG64 gives: it is stepped first, then its halves are xored and rotated.
CUPRUM_FN uint64 pcg64_output(uint128 x) {
  const uint64 high = static_cast<uint64>(x >> 64), mixed = high ^ static_cast<uint64>(x);
  const int turn = static_cast<int>(high >> 58);
  return mixed >> turn | mixed << ((64 - turn) & 63);
}
/// What a state of PCG64DXSM gives before it is stepped.
CUPRUM_FN uint64 pcg64dxsm_output(uint128 x) {
  uint64 high = static_cast<uint64>(x >> 64);
  const uint64 low = static_cast<uint64>(x) | 1;
  high ^= high >> 32;
  high *= static_cast<uint64>(kPcgCheapMultiplier);
  high ^= high >> 48;
  return high * low;
}

// -- Counters, mixed in ten rounds.

struct Block64 {
  uint64 v[4];
};
CUPRUM_FN_LARGE Block64 philox4x64(Block64 c, uint64 key0, uint64 key1) {
  for (int round = 0; round < 10; ++round) {
    const uint128 a = static_cast<uint128>(0xd2e7470ee14c6c93u) * c.v[0];
    const uint128 b = static_cast<uint128>(0xca5a826395121157u) * c.v[2];
    c = {{static_cast<uint64>(b >> 64) ^ c.v[1] ^ key0, static_cast<uint64>(b),
          static_cast<uint64>(a >> 64) ^ c.v[3] ^ key1, static_cast<uint64>(a)}};
    key0 += 0x9e3779b97f4a7c15u;
    key1 += 0xbb67ae8584caa73bu;
  }
  return c;
}

/// The counter `n` further.
CUPRUM_FN Block64 counted(Block64 c, uint64 n) {
  for (int i = 0; i < 4 && n != 0; ++i) {
    c.v[i] += n;
    n = c.v[i] < n;
  }
  return c;
}

/// Two draws of 64 bits for a counter of 64 bits and a key of 64 bits.
struct Pair64 {
  uint64 v[2];
};
/// A product by halves. Whatever is mixed with a whole one, CUDA's compiler computes in 64 bits: a quarter more instructions for a block
/// of philox4x32.
struct Halves {
  uint32 low, high;
};
CUPRUM_FN Halves product(uint32 a, uint32 b) {
#if defined(__CUDA_ARCH__)
  return {a * b, __umulhi(a, b)};
#else
  const uint64 whole = uint64{a} * b;
  return {static_cast<uint32>(whole), static_cast<uint32>(whole >> 32)};
#endif
}
/// The keys of the rounds, by the key itself; and as a table, for whoever mixes many counters and adds slowly.
struct SteppedKey {
  uint64 key;

  CUPRUM_FN uint32 low(uint32 round) const { return static_cast<uint32>(key) + round * 0x9e3779b9u; }
  CUPRUM_FN uint32 high(uint32 round) const { return static_cast<uint32>(key >> 32) + round * 0xbb67ae85u; }
};
struct RoundKeys {
  uint32 lows[10], highs[10];

  CUPRUM_FN explicit RoundKeys(uint64 key) {
    for (uint32 round = 0; round < 10; ++round) {
      lows[round] = SteppedKey{key}.low(round);
      highs[round] = SteppedKey{key}.high(round);
    }
  }
  CUPRUM_FN uint32 low(uint32 round) const { return lows[round]; }
  CUPRUM_FN uint32 high(uint32 round) const { return highs[round]; }
};
template <class Keys>
CUPRUM_FN Pair64 philox4x32_of_rounds(uint64 counter, uint64 stream, const Keys& keys) {
  uint32 c0 = static_cast<uint32>(counter), c1 = static_cast<uint32>(counter >> 32),
         c2 = static_cast<uint32>(stream), c3 = static_cast<uint32>(stream >> 32);
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 10
#endif
  for (uint32 round = 0; round < 10; ++round) {
    const Halves a = product(0xd2511f53u, c0), b = product(0xcd9e8d57u, c2);
    c0 = b.high ^ c1 ^ keys.low(round);
    c1 = b.low;
    c2 = a.high ^ c3 ^ keys.high(round);
    c3 = a.low;
  }
  return {{uint64{c1} << 32 | c0, uint64{c3} << 32 | c2}};
}
CUPRUM_FN Pair64 philox4x32(uint64 counter, uint64 stream, uint64 key) {
  return philox4x32_of_rounds(counter, stream, SteppedKey{key});
}

// -- One after the other.

struct Sfc64 {
  uint64 a, b, c, count;

  CUPRUM_FN uint64 next() {
    const uint64 result = a + b + count++;
    a = b ^ b >> 11;
    b = c + (c << 3);
    c = rotate_left(c, 24) + result;
    return result;
  }
};

/// Five words that are shifted and xored, and a Weyl sequence.
struct Xorwow {
  uint32 x[5], weyl;

  CUPRUM_FN uint32 next32() {
    const uint32 t = x[0] ^ x[0] >> 2, last = x[4];
    for (int i = 0; i < 4; ++i) x[i] = x[i + 1];
    x[4] = last ^ last << 4 ^ t ^ t << 1;
    weyl += 362437;
    return x[4] + weyl;
  }
  CUPRUM_FN uint64 next() {
    const uint64 low = next32();
    return low | uint64{next32()} << 32;
  }
};

/// Two recurrences of order three, modulo two primes below 2^32; their difference has the 32 bits.
struct Mrg32k3a {
  uint64 a[3], b[3];
  static constexpr uint64 kA = 4294967087u, kB = 4294944443u;

  /// In [0, kA).
  CUPRUM_FN uint64 next_difference() {
    const uint64 p = (1403580 * a[1] + (kA - 810728 * a[0] % kA)) % kA;
    const uint64 q = (527612 * b[2] + (kB - 1370589 * b[0] % kB)) % kB;
    a[0] = a[1], a[1] = a[2], a[2] = p;
    b[0] = b[1], b[1] = b[2], b[2] = q;
    return p >= q ? p - q : p + kA - q;
  }
  /// Spread over 32 bits, so that the few values above the prime are not missed.
  CUPRUM_FN uint32 next32() { return static_cast<uint32>((next_difference() << 32) / kA); }
  CUPRUM_FN uint64 next() {
    const uint64 low = next32();
    return low | uint64{next32()} << 32;
  }
};

inline constexpr int kTwisterWords = 624;

/// The next 624 words of MT19937, in place.
CUPRUM_FN_LARGE void twist(uint32* key) {
  constexpr int n = kTwisterWords, m = 397;
  const auto mixed = [](uint32 high, uint32 low) {
    const uint32 y = (high & 0x80000000u) | (low & 0x7fffffffu);
    return y >> 1 ^ ((0u - (y & 1)) & 0x9908b0dfu);
  };
  for (int i = 0; i < n - m; ++i) key[i] = key[i + m] ^ mixed(key[i], key[i + 1]);
  for (int i = n - m; i < n - 1; ++i) key[i] = key[i + m - n] ^ mixed(key[i], key[i + 1]);
  key[n - 1] = key[m - 1] ^ mixed(key[n - 1], key[0]);
}
CUPRUM_FN uint32 tempered(uint32 y) {
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

// -- Numbers in [0, 1).

CUPRUM_FN double unit(uint64 bits) { return static_cast<double>(bits >> 11) * (1.0 / 9007199254740992.0); }
CUPRUM_FN float unit(uint32 bits) { return static_cast<float>(bits >> 8) * (1.0f / 16777216.0f); }
/// From two draws of 32 bits, as MT19937 makes its doubles.
CUPRUM_FN double unit(uint32 first, uint32 second) {
  return (static_cast<double>(first >> 5) * 67108864.0 + static_cast<double>(second >> 6)) /
         9007199254740992.0;
}

/// What came of a try at a number. Of an open one only the law itself knows.
enum class Tried : uint8 { rejected, accepted, open };

}  // namespace random

CUPRUM_KERNELS_END
