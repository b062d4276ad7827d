#include "backend/cpu/simd/random_runs.h"

#include "backend/cpu/simd/intrinsics.h"
#include "kernels/random/bounded.h"
#include "kernels/random/normal.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

namespace random = kernels::random;

constexpr int kGroup = 16;  // numbers that are made without a look at the branches

#if defined(__AVX512DQ__)

// A strip of a ziggurat is one load for each lane: its step and its edge lie side by side, and shuffles take registers of them apart. On two
// cores of an Intel Xeon at 2.5 GHz a number takes 0.9 ns (0.75 in float32), with two gathers 3.0 (1.6), with plain loads one by one
// 1.5; elsewhere gathers took 0.5.

/// Of a law that reads `u64` or `u32`: numbers of a register of draws, and which of them hold.
struct Wide {
  static constexpr int kLanes = 8;
  using Number = double;
  using Numbers = __m512d;
  struct alignas(16) Strip {
    double step;
    uint64_t edge;
  };
  static __m512i load(const uint64_t* from) { return _mm512_loadu_si512(from); }
  static void store(double* to, __m512d x) { _mm512_storeu_pd(to, x); }

  /// The strip of a draw begins at its bit `kShift`; sizes, and which places lie below the edges.
  template <int kShift>
  static unsigned sizes(const Strip* strips, const uint64_t* draws, __m512i place, __m512d& size) {
    const auto strip = [&](int k) { return _mm_load_pd(&strips[draws[k] >> kShift & 0xff].step); };
    const auto two = [&](int k) {
      return _mm256_insertf128_pd(_mm256_castpd128_pd256(strip(k)), strip(k + 2), 1);
    };
    const __m512d even = _mm512_insertf64x4(_mm512_castpd256_pd512(two(0)), two(4), 1),
                  odd = _mm512_insertf64x4(_mm512_castpd256_pd512(two(1)), two(5), 1);
    size = _mm512_mul_pd(_mm512_cvtepi64_pd(place), _mm512_unpacklo_pd(even, odd));
    return _mm512_cmplt_epi64_mask(place, _mm512_castpd_si512(_mm512_unpackhi_pd(even, odd)));
  }
};
struct Narrow {
  static constexpr int kLanes = 16;
  using Number = float;
  using Numbers = __m512;
  struct alignas(8) Strip {
    float step;
    uint32_t edge;
  };
  static __m512i load(const uint32_t* from) { return _mm512_loadu_si512(from); }
  static void store(float* to, __m512 x) { _mm512_storeu_ps(to, x); }

  template <int kShift>
  static unsigned sizes(const Strip* strips, const uint32_t* draws, __m512i place, __m512& size) {
    const auto strip = [&](int k) {
      long long both;
      __builtin_memcpy(&both, &strips[draws[k] >> kShift & 0xff], sizeof(both));
      return both;
    };
    const auto eight = [&](int k) {
      return _mm512_setr_epi64(strip(k), strip(k + 1), strip(k + 2), strip(k + 3), strip(k + 4), strip(k + 5),
                               strip(k + 6), strip(k + 7));
    };
    const __m512i low = eight(0), high = eight(8);
    const __m512i steps = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
                  edges = _mm512_add_epi32(steps, _mm512_set1_epi32(1));
    size = _mm512_mul_ps(_mm512_cvtepi32_ps(place),
                         _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, steps, high)));
    return _mm512_cmplt_epi32_mask(place, _mm512_permutex2var_epi32(low, edges, high));
  }
};

/// The two tables of a ziggurat as one.
template <class Lanes>
struct Strips {
  typename Lanes::Strip strips[256];

  template <class Edge>
  constexpr Strips(const typename Lanes::Number (&step)[256], const Edge (&edge)[256]) : strips() {
    for (int i = 0; i < 256; ++i) strips[i] = {step[i], edge[i]};
  }
};
constexpr Strips<Wide> kNormal(random::normal::step, random::normal::edge),
    kExponential(random::exponential::step, random::exponential::edge);
constexpr Strips<Narrow> kNormalFloat(random::normal::step_f, random::normal::edge_f),
    kExponentialFloat(random::exponential::step_f, random::exponential::edge_f);

// easy_normal and easy_exponential of kernels/random/normal.h, lane by lane.

struct NormalLanes : Wide {
  static unsigned numbers(const uint64_t* draws, __m512d& x) {
    const __m512i bits = load(draws), place = _mm512_srli_epi64(_mm512_slli_epi64(bits, 3), 12);
    const __m512i sign =
        _mm512_and_si512(_mm512_slli_epi64(bits, 55), _mm512_set1_epi64(static_cast<long long>(1ull << 63)));
    const unsigned holds = sizes<0>(kNormal.strips, draws, place, x);
    x = _mm512_or_pd(x, _mm512_castsi512_pd(sign));
    return holds;
  }
};
struct NormalFloatLanes : Narrow {
  static unsigned numbers(const uint32_t* draws, __m512& x) {
    const __m512i bits = load(draws);
    const __m512i sign =
        _mm512_and_si512(_mm512_slli_epi32(bits, 23), _mm512_set1_epi32(static_cast<int>(1u << 31)));
    const unsigned holds = sizes<0>(kNormalFloat.strips, draws, _mm512_srli_epi32(bits, 9), x);
    x = _mm512_or_ps(x, _mm512_castsi512_ps(sign));
    return holds;
  }
};
struct ExponentialLanes : Wide {
  static unsigned numbers(const uint64_t* draws, __m512d& x) {
    return sizes<3>(kExponential.strips, draws, _mm512_srli_epi64(load(draws), 11), x);
  }
};
struct ExponentialFloatLanes : Narrow {
  static unsigned numbers(const uint32_t* draws, __m512& x) {
    return sizes<1>(kExponentialFloat.strips, draws, _mm512_srli_epi32(load(draws), 9), x);
  }
};

/// As below, by registers; `make` is for what is left.
template <class Lanes, class D, class T, class Make>
int64_t run(const D* draws, int64_t n, T* out, Make make) {
  constexpr unsigned all = (1u << Lanes::kLanes) - 1;
  int64_t i = 0;
  for (; i + Lanes::kLanes <= n; i += Lanes::kLanes) {
    typename Lanes::Numbers x;
    const unsigned holds = Lanes::numbers(draws + i, x);
    Lanes::store(out + i, x);
    if (holds != all) return i + __builtin_ctz(~holds);
  }
  while (i < n && make(draws[i], out + i)) ++i;
  return i;
}

#else

struct NormalLanes {};
struct NormalFloatLanes {};
struct ExponentialLanes {};
struct ExponentialFloatLanes {};

/// make(draw, out) stores a number and says whether it holds. 1 in 80 does not.
template <class Lanes, class D, class T, class Make>
int64_t run(const D* draws, int64_t n, T* out, Make make) {
  int64_t i = 0;
  for (; i + kGroup <= n; i += kGroup) {
    D holds[kGroup], all = 1;
    for (int k = 0; k < kGroup; ++k) {
      holds[k] = make(draws[i + k], out + i + k);
      all &= holds[k];
    }
    if (all) continue;
    int64_t k = 0;
    while (holds[k]) ++k;
    return i + k;
  }
  while (i < n && make(draws[i], out + i)) ++i;
  return i;
}

#endif

template <class U>
U kept_least(U range) {
  const U count = static_cast<U>(range + 1);
  return count == 0 ? U{0} : static_cast<U>(static_cast<U>(static_cast<U>(~U{0}) - range) % count);
}

/// The kept units are packed without branches; groups of which all are kept are stored as they are.
template <class U, class T, class Number>
int64_t pack(const U* units, int64_t n, T* out, bool* open, Number number) {
  int64_t count = 0, i = 0;
  bool kept = true;
  for (; i + kGroup <= n; i += kGroup) {
    T group[kGroup];
    int all = 0;
    for (int k = 0; k < kGroup; ++k) all += number(units[i + k], group + k);
    if (all == kGroup) {
      __builtin_memcpy(out + count, group, sizeof group);
      count += kGroup;
      kept = true;
    } else {
      for (int k = 0; k < kGroup; ++k) {
        T value;
        kept = number(units[i + k], &value);
        out[count] = value;
        count += kept;
      }
    }
  }
  for (; i < n; ++i) {
    T value;
    kept = number(units[i], &value);
    out[count] = value;
    count += kept;
  }
  *open = !kept;
  return count;
}

template <class U, class T>
int64_t bounded(const Bound& b, const U* units, int64_t n, T* out, bool* open) {
  using Wide = typename random::twice<U>::type;
  const T least = static_cast<T>(b.least);
  const U range = static_cast<U>(b.range), mask = static_cast<U>(b.mask);
  if (range == static_cast<U>(~U{0})) {
    return pack(units, n, out, open, [=](U unit, T* to) {
      *to = static_cast<T>(least + unit);
      return true;
    });
  }
  if (b.masked) {
    return pack(units, n, out, open, [=](U unit, T* to) {
      const U value = static_cast<U>(unit & mask);
      *to = static_cast<T>(least + value);
      return value <= range;
    });
  }
  const U first = kept_least(range), count = static_cast<U>(range + 1);
  return pack(units, n, out, open, [=](U unit, T* to) {
    const Wide product = static_cast<Wide>(static_cast<Wide>(unit) * count);
    *to = static_cast<T>(least + static_cast<U>(product >> (8 * sizeof(U))));
    return static_cast<U>(product) >= first;
  });
}

}  // namespace

int64_t normal_run(const uint64_t* draws, int64_t n, double* out) {
  return run<NormalLanes>(draws, n, out,
                          [](uint64_t bits, double* to) { return random::easy_normal(bits, *to); });
}
int64_t normal_run_f(const uint32_t* halves, int64_t n, float* out) {
  return run<NormalFloatLanes>(halves, n, out,
                               [](uint32_t bits, float* to) { return random::easy_normal(bits, *to); });
}
int64_t exponential_run(const uint64_t* draws, int64_t n, double* out) {
  return run<ExponentialLanes>(draws, n, out,
                               [](uint64_t bits, double* to) { return random::easy_exponential(bits, *to); });
}
int64_t exponential_run_f(const uint32_t* halves, int64_t n, float* out) {
  return run<ExponentialFloatLanes>(
      halves, n, out, [](uint32_t bits, float* to) { return random::easy_exponential(bits, *to); });
}

int64_t bounded_run(const Bound& b, int unit_size, int number_size, const void* units, int64_t n, void* out,
                    bool* open) {
  using kernels::uint16, kernels::uint32, kernels::uint64, kernels::uint8;
  switch (unit_size) {
    case 1: return bounded(b, static_cast<const uint8*>(units), n, static_cast<uint8*>(out), open);
    case 2: return bounded(b, static_cast<const uint16*>(units), n, static_cast<uint16*>(out), open);
    case 4:
      return number_size == 4
                 ? bounded(b, static_cast<const uint32*>(units), n, static_cast<uint32*>(out), open)
                 : bounded(b, static_cast<const uint32*>(units), n, static_cast<uint64*>(out), open);
    default: return bounded(b, static_cast<const uint64*>(units), n, static_cast<uint64*>(out), open);
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
