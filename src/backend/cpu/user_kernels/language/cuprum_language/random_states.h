// The states of cuRAND's generators, which a program keeps in its own memory: they are as large as cuRAND's.
#pragma once

#include "cuprum_language/vector_types.h"
#include "kernels/random/bits.h"

namespace cuprum_language {

/// What a law has drawn beyond what it was asked for: the second number of a pair.
enum Extra : int { kNone = 0, kNormal = 1, kLogNormal = 2 };

/// Shifts and xors are linear in the 160 bits: a matrix, here by the images of single bits. Its powers 2^k skip 2^k draws.
struct ShiftMatrix {
  unsigned image[160][5];

  void apply(unsigned (&v)[5]) const {
    unsigned to[5] = {};
    for (int bit = 0; bit < 160; ++bit) {
      const unsigned chosen = 0u - (v[bit / 32] >> bit % 32 & 1);
      for (int i = 0; i < 5; ++i) to[i] ^= image[bit][i] & chosen;
    }
    for (int i = 0; i < 5; ++i) v[i] = to[i];
  }
};

struct ShiftPowers {
  static constexpr int kSequence = 67;  // a sequence has 2^67 numbers
  ShiftMatrix power[kSequence + 64];

  ShiftPowers() {
    for (int bit = 0; bit < 160; ++bit) {
      cuprum::kernels::random::Xorwow g{};
      g.x[bit / 32] = 1u << bit % 32;
      g.next32();
      for (int i = 0; i < 5; ++i) power[0].image[bit][i] = g.x[i];
    }
    for (int k = 1; k < kSequence + 64; ++k) {
      power[k] = power[k - 1];
      for (auto& image : power[k].image) power[k - 1].apply(image);
    }
  }
  /// n * 2^first draws.
  static void skip(unsigned (&v)[5], unsigned long long n, int first) {
    static const ShiftPowers powers;
    for (int k = first; n != 0; ++k, n >>= 1) {
      if (n & 1) powers.power[k].apply(v);
    }
  }
};

/// x -> a x modulo m, for the three last numbers of a recurrence.
struct RecurrenceMatrix {
  unsigned long long a[3][3];

  RecurrenceMatrix times(const RecurrenceMatrix& o, unsigned long long m) const {
    RecurrenceMatrix product{};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) product.a[i][j] = (product.a[i][j] + a[i][k] * o.a[k][j] % m) % m;
      }
    }
    return product;
  }
  void apply(unsigned (&s)[3], unsigned long long m) const {
    unsigned long long to[3] = {};
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) to[i] = (to[i] + a[i][k] * s[k] % m) % m;
    }
    for (int i = 0; i < 3; ++i) s[i] = static_cast<unsigned>(to[i]);
  }
};

struct RecurrencePowers {
  static constexpr int kSubsequence = 76, kSequence = 127;
  static constexpr unsigned long long kA = cuprum::kernels::random::Mrg32k3a::kA,
                                      kB = cuprum::kernels::random::Mrg32k3a::kB;
  RecurrenceMatrix a[kSequence + 64], b[kSequence + 64];

  RecurrencePowers() {
    a[0] = {{{0, 1, 0}, {0, 0, 1}, {kA - 810728, 1403580, 0}}};
    b[0] = {{{0, 1, 0}, {0, 0, 1}, {kB - 1370589, 0, 527612}}};
    for (int k = 1; k < kSequence + 64; ++k) {
      a[k] = a[k - 1].times(a[k - 1], kA);
      b[k] = b[k - 1].times(b[k - 1], kB);
    }
  }
  /// n * 2^first draws.
  static void skip(unsigned (&s1)[3], unsigned (&s2)[3], unsigned long long n, int first) {
    static const RecurrencePowers powers;
    for (int k = first; n != 0; ++k, n >>= 1) {
      if (n & 1) powers.a[k].apply(s1, kA), powers.b[k].apply(s2, kB);
    }
  }
};

}  // namespace cuprum_language

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStateXORWOW_t = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;
using curandStateMRG32k3a_t = curandStateMRG32k3a;

// -- XORWOW

inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
  cuprum_language::ShiftPowers::skip(state->v, n, 0);
  state->d += 362437u * static_cast<unsigned>(n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  cuprum_language::ShiftPowers::skip(state->v, n, cuprum_language::ShiftPowers::kSequence);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW* state) {
  const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  *state = {6615241u + high + low,
            {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

inline unsigned curand(curandStateXORWOW* state) {
  unsigned(&v)[5] = state->v;
  cuprum::kernels::random::Xorwow g{{v[0], v[1], v[2], v[3], v[4]}, state->d};
  const unsigned next = g.next32();
  for (int i = 0; i < 5; ++i) v[i] = g.x[i];
  state->d = g.weyl;
  return next;
}

// -- Philox

namespace cuprum_language {

inline void compute(curandStatePhilox4_32_10* s) {
  const auto join = [](unsigned low, unsigned high) {
    return static_cast<unsigned long long>(high) << 32 | low;
  };
  const auto [v] = cuprum::kernels::random::philox4x32(join(s->ctr.x, s->ctr.y), join(s->ctr.z, s->ctr.w),
                                                       join(s->key.x, s->key.y));
  s->output = {static_cast<unsigned>(v[0]), static_cast<unsigned>(v[0] >> 32), static_cast<unsigned>(v[1]),
               static_cast<unsigned>(v[1] >> 32)};
}

/// Adds n to the words from `low` on.
inline void count(unsigned* const (&words)[4], int low, unsigned long long n) {
  unsigned __int128 carry = n;
  for (int i = low; i < 4; ++i, carry >>= 32) {
    carry += *words[i];
    *words[i] = static_cast<unsigned>(carry);
  }
}
inline void count(curandStatePhilox4_32_10* s, int low, unsigned long long n) {
  count({&s->ctr.x, &s->ctr.y, &s->ctr.z, &s->ctr.w}, low, n);
  compute(s);
}

}  // namespace cuprum_language

inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned at = state->STATE + static_cast<unsigned>(n & 3);
  state->STATE = at & 3;
  cuprum_language::count(state, 0, n / 4 + at / 4);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  cuprum_language::count(state, 2, n);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
  *state = {};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

inline unsigned curand(curandStatePhilox4_32_10* state) {
  const uint4 o = state->output;
  const unsigned next = state->STATE == 0 ? o.x : state->STATE == 1 ? o.y : state->STATE == 2 ? o.z : o.w;
  if (++state->STATE == 4) {
    state->STATE = 0;
    cuprum_language::count(state, 0, 1);
  }
  return next;
}

inline uint4 curand4(curandStatePhilox4_32_10* state) {
  const unsigned x = curand(state), y = curand(state), z = curand(state);
  return {x, y, z, curand(state)};
}

// -- MRG32k3a

inline void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
  cuprum_language::RecurrencePowers::skip(state->s1, state->s2, n, 0);
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  using Powers = cuprum_language::RecurrencePowers;
  Powers::skip(state->s1, state->s2, n, Powers::kSubsequence);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  using Powers = cuprum_language::RecurrencePowers;
  Powers::skip(state->s1, state->s2, n, Powers::kSequence);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateMRG32k3a* state) {
  *state = {{12345, 12345, 12345}, {12345, 12345, 12345}};
  if (seed != 0) {
    const unsigned long long low = static_cast<unsigned>(seed) ^ 0x55555555u;
    const unsigned long long high = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      using Powers = cuprum_language::RecurrencePowers;
      state->s1[i] = static_cast<unsigned>((i == 1 ? high : low) * 12345 % Powers::kA);
      state->s2[i] = static_cast<unsigned>((i == 1 ? low : high) * 12345 % Powers::kB);
    }
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}

namespace cuprum_language {

/// A number of 1 ... kA.
inline unsigned draw(curandStateMRG32k3a* s) {
  unsigned(&s1)[3] = s->s1, (&s2)[3] = s->s2;
  cuprum::kernels::random::Mrg32k3a g{{s1[0], s1[1], s1[2]}, {s2[0], s2[1], s2[2]}};
  const auto difference = g.next_difference();
  for (int i = 0; i < 3; ++i) {
    s1[i] = static_cast<unsigned>(g.a[i]);
    s2[i] = static_cast<unsigned>(g.b[i]);
  }
  return static_cast<unsigned>(difference == 0 ? g.kA : difference);
}

}  // namespace cuprum_language

inline unsigned curand(curandStateMRG32k3a* state) {
  return static_cast<unsigned>(cuprum_language::draw(state) * 1.000000048662);
}
