#include "backend/cpu/simd/random_runs.h"

#include "kernels/random/bounded.h"
#include "kernels/random/normal.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

namespace random = kernels::random;

constexpr int kGroup = 16;  // numbers that are made without a look at the branches

/// make(draw, out) stores a number and says whether it holds. 1 in 80 does not.
template <class D, class T, class Make>
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
  return run(draws, n, out, [](uint64_t bits, double* to) { return random::easy_normal(bits, *to); });
}
int64_t normal_run_f(const uint32_t* halves, int64_t n, float* out) {
  return run(halves, n, out, [](uint32_t bits, float* to) { return random::easy_normal(bits, *to); });
}
int64_t exponential_run(const uint64_t* draws, int64_t n, double* out) {
  return run(draws, n, out, [](uint64_t bits, double* to) { return random::easy_exponential(bits, *to); });
}
int64_t exponential_run_f(const uint32_t* halves, int64_t n, float* out) {
  return run(halves, n, out, [](uint32_t bits, float* to) { return random::easy_exponential(bits, *to); });
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
