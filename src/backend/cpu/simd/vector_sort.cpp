#include "backend/cpu/simd/vector_sort.h"

#include "backend/cpu/simd/key_network.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

#ifdef CUPRUM_KEY_LANES

namespace {

template <int n>
struct Number {
  static constexpr int value = n;
};

template <class U>
struct Split {
  int64_t low;
  U smallest, largest;
  bool ambiguous;
};

template <class U, class F>
U fold_lanes(const typename Lanes<U>::Register& v, F&& f) {
  alignas(64) U lanes[Lanes<U>::kCount];
  Lanes<U>::store(lanes, v);
  U result = lanes[0];
  for (int i = 1; i < Lanes<U>::kCount; ++i) result = f(result, lanes[i]);
  return result;
}

/// Writes the keys of from[0, n) that are not above the pivot to `low`, the others to `high`; either may be `from`. There
/// is room for n elements in both: registers are stored whole.
template <bool kEncode, class U>
Split<U> split(KeyCoder<U> coder, const U* from, int64_t n, U pivot, U* low, U* high) {
  using L = Lanes<U>;
  using R = typename L::Register;
  const R pivots = L::all(pivot);
  R smallest = L::all(static_cast<U>(~U{0})), largest = L::all(0);
  typename L::Mask ambiguous = L::first(0);
  U* const low_begin = low;
  int64_t i = 0;
  // Four registers at a time: on Zen 5 two of 16 lanes each, stored as soon as they are known, took 2.3 ns, four take
  // 0.8 ns each.
  const auto move = [&](auto count) {
    constexpr int kRegisters = decltype(count)::value;
    R lows[kRegisters], highs[kRegisters];
    int high_count[kRegisters];
#pragma GCC unroll 4
    for (int k = 0; k < kRegisters; ++k) {
      R v = L::load(from + i + k * L::kCount);
      if constexpr (kEncode) v = coder.encode(v, ambiguous);
      smallest = L::min(smallest, v);
      largest = L::max(largest, v);
      const auto above = L::above(v, pivots);
      high_count[k] = L::count(above);
      lows[k] = L::front(v, L::inverse(above));
      highs[k] = L::front(v, above);
    }
#pragma GCC unroll 4
    for (int k = 0; k < kRegisters; ++k) {
      L::store(low, lows[k]);
      L::store(high, highs[k]);
      low += L::kCount - high_count[k];
      high += high_count[k];
    }
    i += kRegisters * L::kCount;
  };
  while (i + 4 * L::kCount <= n) move(Number<4>());
  while (i + L::kCount <= n) move(Number<1>());
  if (i < n) {
    const int left = static_cast<int>(n - i);
    alignas(64) U keys[L::kCount], values[L::kCount];
    for (int j = 0; j < L::kCount; ++j) values[j] = from[j < left ? i + j : i];
    R v = L::load(values);
    if constexpr (kEncode) v = coder.encode(v, ambiguous);
    smallest = L::min(smallest, v);
    largest = L::max(largest, v);
    L::store(keys, v);
    for (int j = 0; j < left; ++j) {
      U*& to = keys[j] > pivot ? high : low;
      *to++ = keys[j];
    }
  }
  return {low - low_begin, fold_lanes<U>(smallest, [](U a, U b) { return a < b ? a : b; }),
          fold_lanes<U>(largest, [](U a, U b) { return a > b ? a : b; }), L::any(ambiguous)};
}

template <class U>
bool encode_values(KeyCoder<U> coder, const U* values, int64_t n, U* keys) {
  using L = Lanes<U>;
  typename L::Mask ambiguous = L::first(0);
  int64_t i = 0;
  for (; i + L::kCount <= n; i += L::kCount) L::store(keys + i, coder.encode(L::load(values + i), ambiguous));
  if (i < n) {
    const int left = static_cast<int>(n - i);
    U rest[L::kCount];
    for (int j = 0; j < L::kCount; ++j) rest[j] = values[j < left ? i + j : i];
    L::store_some(keys + i, left, coder.encode(L::load(rest), ambiguous));
  }
  return L::any(ambiguous);
}

template <class U>
bool ascending(KeyCoder<U> coder, const U* values, int64_t n) {
  using L = Lanes<U>;
  typename L::Mask ambiguous = L::first(0);
  int64_t i = 1;
  for (; i + L::kCount <= n; i += L::kCount) {
    const auto before = coder.encode(L::load(values + i - 1), ambiguous);
    if (L::any(L::above(before, coder.encode(L::load(values + i), ambiguous)))) return false;
  }
  const int left = static_cast<int>(n - i);
  if (left <= 0) return true;
  // Both end with the largest key.
  U before[L::kCount], after[L::kCount];
  encode_values(coder, values + i - 1, left, before);
  encode_values(coder, values + i, left, after);
  return !L::any(L::above(L::load_some(before, left), L::load_some(after, left)));
}

/// The middle of up to `most` keys at equal distances. Of a value that is the largest of them the one below, so that a value
/// that is there many times ends among the high ones alone.
template <class U>
U middle(KeyCoder<U> coder, bool encoded, const U* from, int64_t n, int64_t most) {
  constexpr int kMost = kMaxInRegisters<U> < 128 ? kMaxInRegisters<U> : 128;
  U sample[kMost];
  const int count = static_cast<int>(most < kMost ? most : kMost);
  const int64_t step = n / count;
  for (int i = 0; i < count; ++i) sample[i] = from[i * step + step / 2];
  if (!encoded) encode_values(coder, sample, count, sample);
  sort_in_registers<false>(KeyCoder<U>(KeyCode<U>::none()), sample, sample, count);
  const U key = sample[count / 2];
  return key == sample[count - 1] && key != 0 ? static_cast<U>(key - 1) : key;
}

template <class U>
class KeySort {
 public:
  explicit KeySort(const KeyCode<U>& code) : coder_(code) {}

  /// Sorts values.
  bool run(const U* from, int64_t n, U* to, U* spare) {
    if (n <= kMaxMerged<U>) return RunMerge<U>::template sort<true>(coder_, from, to, static_cast<int>(n));
    if (ascending(coder_, from, n)) {
      __builtin_memcpy(to, from, static_cast<uint64_t>(n) * sizeof(U));
      return false;
    }
    const Split<U> parts =
        split<true>(coder_, from, n, middle(coder_, false, from, n, sample_size(n)), to, spare);
    sort_parts(parts, n, to, spare, to, depth(n));
    return parts.ambiguous;
  }

  /// Sorts keys[0, n), with room for n more at `spare`, and writes their values to `to`, which is one of the two.
  void sort(U* keys, int64_t n, U* spare, U* to) { sort(keys, n, spare, to, depth(n)); }

 private:
  static int64_t sample_size(int64_t n) { return n < (1 << 12) ? 32 : n < (1 << 15) ? 64 : 128; }
  static int depth(int64_t n) { return 2 * (64 - __builtin_clzll(static_cast<uint64_t>(n))); }

  void sort(U* keys, int64_t n, U* spare, U* to, int depth) {
    if (n <= kMaxMergedPart<U>) {
      RunMerge<U>::template sort<false>(coder_, keys, to, static_cast<int>(n));
      return;
    }
    if (depth == 0) return sort_heap(keys, n, to);
    U* const high = to == keys ? spare : keys;
    const U pivot = middle(coder_, true, keys, n, sample_size(n));
    sort_parts(split<false>(coder_, keys, n, pivot, to, high), n, to, high, to, depth);
  }

  /// The low keys are at the beginning of `to`, the others at that of `high`.
  void sort_parts(const Split<U>& parts, int64_t n, U* low, U* high, U* to, int depth) {
    const int64_t lows = parts.low, highs = n - lows;
    if (parts.smallest == parts.largest) return fill(to, n, parts.smallest);
    if (lows == 0) return sort_above_smallest(parts.smallest, n, high, to, depth);
    sort(low, lows, high + highs, low, depth - 1);
    if (highs > 0) sort(high, highs, to + lows, to + lows, depth - 1);
  }

  /// The pivot was below all keys, as one value is there many times: it goes first.
  void sort_above_smallest(U smallest, int64_t n, U* keys, U* to, int depth) {
    const int64_t first = split<false>(coder_, keys, n, smallest, to, keys).low;
    fill(to, first, smallest);
    if (first < n) sort(keys, n - first, to + first, to + first, depth - 1);
  }

  void fill(U* to, int64_t n, U key) const {
    U values[Lanes<U>::kCount];
    Lanes<U>::store(values, coder_.decode(Lanes<U>::all(key)));
    for (int64_t i = 0; i < n; ++i) to[i] = values[0];
  }

  /// What takes n log n steps whatever the keys are.
  void sort_heap(U* keys, int64_t n, U* to) const {
    for (int64_t i = n / 2; i-- > 0;) sink(keys, i, n);
    for (int64_t end = n - 1; end > 0; --end) {
      const U last = keys[end];
      keys[end] = keys[0];
      keys[0] = last;
      sink(keys, 0, end);
    }
    U value[Lanes<U>::kCount];
    for (int64_t i = 0; i < n; ++i) {
      Lanes<U>::store(value, coder_.decode(Lanes<U>::all(keys[i])));
      to[i] = value[0];
    }
  }
  static void sink(U* heap, int64_t i, int64_t n) {
    const U key = heap[i];
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
      if (child + 1 < n && heap[child + 1] > heap[child]) ++child;
      if (heap[child] <= key) break;
      heap[i] = heap[child];
    }
    heap[i] = key;
  }

  KeyCoder<U> coder_;
};

/// Calls f with the code of a dtype of 4 or 8 bytes.
template <class F>
auto with_code(dtype type, F&& f) {
  constexpr uint32_t kSign32 = KeyCode<uint32_t>::kSign;
  constexpr uint64_t kSign64 = KeyCode<uint64_t>::kSign;
  switch (type) {
    case dtype::uint32: return f(KeyCode<uint32_t>::none());
    case dtype::int32: return f(KeyCode<uint32_t>{kSign32, kSign32, kSign32 - 1});
    case dtype::float32: return f(KeyCode<uint32_t>{kSign32, ~uint32_t{0}, 0x7f800000u});
    case dtype::int64: return f(KeyCode<uint64_t>{kSign64, kSign64, kSign64 - 1});
    case dtype::float64: return f(KeyCode<uint64_t>{kSign64, ~uint64_t{0}, 0x7ff0000000000000u});
    default: return f(KeyCode<uint64_t>::none());
  }
}

template <class U>
struct Pivots {
  explicit Pivots(const uint64_t* pivots) {
    for (int i = 0; i < kSortParts - 1; ++i) at[i] = Lanes<U>::all(static_cast<U>(pivots[i]));
  }
  typename Lanes<U>::Register at[kSortParts - 1];
};

/// Calls f(keys, count) for all keys, a register at a time; behind the first `count` are largest keys.
template <bool kEncode, class U, class F>
bool each_register(KeyCoder<U> coder, const U* from, int64_t n, F&& f) {
  using L = Lanes<U>;
  typename L::Mask ambiguous = L::first(0);
  int64_t i = 0;
  for (; i + L::kCount <= n; i += L::kCount) {
    auto v = L::load(from + i);
    if constexpr (kEncode) v = coder.encode(v, ambiguous);
    f(v, L::kCount);
  }
  if (i < n) {
    const int left = static_cast<int>(n - i);
    U rest[L::kCount];
    for (int j = 0; j < L::kCount; ++j) rest[j] = from[j < left ? i + j : i];
    auto v = L::load(rest);
    if constexpr (kEncode) v = coder.encode(v, ambiguous);
    L::store(rest, v);
    f(L::load_some(rest, left), left);
  }
  return L::any(ambiguous);
}

/// Counts what is above each pivot.
template <bool kEncode, class U>
void count(KeyCoder<U> coder, const U* from, int64_t n, const Pivots<U>& pivots, int64_t* counts) {
  using L = Lanes<U>;
  int64_t above[kSortParts + 1] = {};
  each_register<kEncode>(coder, from, n, [&](auto v, int in_use) {
#pragma GCC unroll 8
    for (int p = 0; p < kSortParts - 1; ++p) above[p + 1] += L::count(L::above(v, pivots.at[p]));
    // The largest keys behind the last one are counted as if they were keys.
    for (int p = 0; in_use < L::kCount && p < kSortParts - 1; ++p) {
      above[p + 1] -=
          L::count(L::above(L::all(static_cast<U>(~U{0})), pivots.at[p])) / L::kCount * (L::kCount - in_use);
    }
  });
  above[0] = n;
  for (int p = 0; p < kSortParts; ++p) counts[p] += above[p] - above[p + 1];
}

template <bool kEncode, class U>
bool move(KeyCoder<U> coder, const U* from, int64_t n, const Pivots<U>& pivots, U* to, const int64_t* starts,
          const int64_t* ends) {
  using L = Lanes<U>;
  using R = typename L::Register;
  U *next[kSortParts], *end[kSortParts];
  for (int p = 0; p < kSortParts; ++p) next[p] = to + starts[p], end[p] = to + ends[p];
  return each_register<kEncode>(coder, from, n, [&](R v, int in_use) {
    R front[kSortParts];
    int size[kSortParts];
    auto above = L::inverse(L::first(0));  // the part's keys, and all of the parts behind it
#pragma GCC unroll 8
    for (int p = 0; p < kSortParts; ++p) {
      const auto behind =
          p < kSortParts - 1 ? L::above(v, pivots.at[p < kSortParts - 1 ? p : 0]) : L::first(0);
      const auto here = L::without(above, behind);
      front[p] = L::front(v, here);
      size[p] = L::count(here);
      above = behind;
    }
    if (in_use < L::kCount) {  // what is behind the last key is in the part of the largest key
      int p = kSortParts - 1;
      while (size[p] == 0) --p;
      size[p] -= L::kCount - in_use;
    }
#pragma GCC unroll 8
    for (int p = 0; p < kSortParts; ++p) {
      if (next[p] + L::kCount <= end[p]) {
        L::store(next[p], front[p]);
      } else {
        L::store_some(next[p], size[p], front[p]);
      }
      next[p] += size[p];
    }
  });
}

template <class U>
void pivots_of(const KeyCode<U>& code, bool encoded, const U* from, int64_t n, uint64_t* pivots) {
  constexpr int kSample = 512;
  U sample[kSample], spare[kSample];
  for (int64_t i = 0; i < kSample; ++i) sample[i] = from[(n * i + n / 2) / kSample];
  if (!encoded) encode_values(KeyCoder<U>(code), sample, kSample, sample);
  KeySort<U>(KeyCode<U>::none()).sort(sample, kSample, spare, sample);
  for (int p = 1; p < kSortParts; ++p) pivots[p - 1] = sample[kSample * p / kSortParts];
}

}  // namespace

bool has_vector_sort() { return true; }

bool sort_values(dtype type, int64_t n, const void* from, void* to, void* spare) {
  return with_code(type, [&]<class U>(const KeyCode<U>& code) {
    return KeySort<U>(code).run(static_cast<const U*>(from), n, static_cast<U*>(to), static_cast<U*>(spare));
  });
}

int64_t most_without_spare(int itemsize) {
  return itemsize == 4 ? kMaxMerged<uint32_t> : kMaxMerged<uint64_t>;
}

bool is_sorted(dtype type, int64_t n, const void* values) {
  return with_code(type, [&]<class U>(const KeyCode<U>& code) {
    return ascending(KeyCoder<U>(code), static_cast<const U*>(values), n);
  });
}

void choose_pivots(dtype type, bool encoded, int64_t n, const void* from, uint64_t* pivots) {
  with_code(type, [&]<class U>(const KeyCode<U>& code) {
    pivots_of(code, encoded, static_cast<const U*>(from), n, pivots);
  });
}

void count_parts(dtype type, bool encoded, int64_t n, const void* from, const uint64_t* pivots,
                 int64_t* counts) {
  with_code(type, [&]<class U>(const KeyCode<U>& code) {
    const auto form = encoded ? &count<false, U> : &count<true, U>;
    form(KeyCoder<U>(code), static_cast<const U*>(from), n, Pivots<U>(pivots), counts);
  });
}

bool move_parts(dtype type, bool encoded, int64_t n, const void* from, const uint64_t* pivots, void* to,
                const int64_t* starts, const int64_t* ends) {
  return with_code(type, [&]<class U>(const KeyCode<U>& code) {
    const auto form = encoded ? &move<false, U> : &move<true, U>;
    return form(KeyCoder<U>(code), static_cast<const U*>(from), n, Pivots<U>(pivots), static_cast<U*>(to),
                starts, ends);
  });
}

void sort_keys(dtype type, int64_t n, void* keys, void* spare, void* to) {
  with_code(type, [&]<class U>(const KeyCode<U>& code) {
    KeySort<U>(code).sort(static_cast<U*>(keys), n, static_cast<U*>(spare), static_cast<U*>(to));
  });
}

#else

// Never called: has_vector_sort says so.
bool has_vector_sort() { return false; }
int64_t most_without_spare(int) { return 0; }
bool sort_values(dtype, int64_t, const void*, void*, void*) { return false; }
bool is_sorted(dtype, int64_t, const void*) { return false; }
void choose_pivots(dtype, bool, int64_t, const void*, uint64_t*) {}
void count_parts(dtype, bool, int64_t, const void*, const uint64_t*, int64_t*) {}
bool move_parts(dtype, bool, int64_t, const void*, const uint64_t*, void*, const int64_t*, const int64_t*) {
  return false;
}
void sort_keys(dtype, int64_t, void*, void*, void*) {}

#endif

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
