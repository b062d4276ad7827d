// Searches for many values in one sorted row, and what is made of the places: written down, compared, or counted.
//
// A guide shortens the search. A straight line through the row's ends puts every value into one of a number of buckets;
// it never falls, so that elements in a bucket before a value's own come before the value, and those behind come behind.
// The guide says for each bucket where its elements begin and how many steps a search among them takes: none or one
// where the elements are spread evenly, never more than in the whole row. Rounding moves a value and an equal element
// alike, hence the places are exact.
//
// Blocks stay and share the values out. A small row whose buckets hold one element at most lies in their shared memory with
// its guide (1000 elements: 24 KiB), others in the caches. Every thread takes its steps for a few values together,
// whose reads are then in flight at once. 2^24 float64 in 1000 elements take 0.08 ms on an H200 (a copy 0.07, a binary
// search by a thread per value 0.20), 2^26 float32 in 2^20 elements 0.78 ms (4.4).
#pragma once

#include "backend/cuda/primitives/element.cuh"
#include "backend/cuda/primitives/layout.h"
#include "backend/cuda/primitives/words.cuh"
#include "kernels/order.h"

namespace cuprum::cuda::primitives {

inline constexpr int kSearchThreads = 512;
template <class T>
inline constexpr int kSearchEach = kernels::same<T, float> ? 8 : 4;  // values of a thread at a time
template <class T>
inline constexpr int kSearchTile = kSearchThreads* kSearchEach<T>;
inline constexpr int kGuideBlock = 256, kGuideThreads = kGuideBlock + 32;  // buckets of a block, and one more
inline constexpr int kPlaceBits = 26;  // of a word of the guide; the others count steps
inline constexpr std::int64_t kMaxGuided = (std::int64_t{1} << kPlaceBits) - 1;  // elements of the row

/// A sorted row without gaps.
template <class T>
struct SortedRow {
  const char* data;
  std::int64_t n;
  __device__ T operator[](std::int64_t i) const {
    return read_element<T>(data + i * static_cast<std::int64_t>(sizeof(T)));
  }
};

/// Does the place of `value` lie behind `element`?
template <bool kRight, class T>
__device__ bool goes_on(T element, T value) {
  if constexpr (kRight && kernels::native_float<T>) {
    return (element <= value) | (value != value);  // as below, with fewer comparisons
  } else {
    return kRight ? !kernels::sorts_before(value, element) : kernels::sorts_before(element, value);
  }
}

// -- What is made of a place. `to` is the address of the value's result.

template <bool kSide>
struct WritePlace {
  static constexpr bool kRight = kSide, kCounts = false;
  static constexpr int kResult = 8;  // bytes
  template <class T, class Place>
  __device__ void operator()(const SortedRow<T>&, T, Place place, char* to) const {
    store(to, static_cast<std::int64_t>(place));
  }
};

struct WriteFound {
  static constexpr bool kRight = false, kCounts = false;
  static constexpr int kResult = 1;
  template <class T, class Place>
  __device__ void operator()(const SortedRow<T>& row, T value, Place place, char* to) const {
    store(to, place < static_cast<Place>(row.n) && kernels::equal(row[place], value));
  }
};

/// Counts the values between elements of the row; the last interval is closed. A block counts in shared memory, with
/// several copies of each counter, so that the threads of a warp seldom meet at one; what lies outside is counted too, and
/// left there. With too many intervals it counts where the result is.
struct CountInterval {
  static constexpr bool kRight = true, kCounts = true;
  static constexpr int kResult = 0;
  unsigned long long* result;
  unsigned copies;               // of each counter, a power of two; 0: none in shared memory
  unsigned* counters = nullptr;  // [place][copy]

  template <class T, class Place>
  __device__ void operator()(const SortedRow<T>& row, T value, Place place, char*) const {
    const auto n = static_cast<Place>(row.n);
    if (place == n && !kernels::sorts_before(row[n - 1], value)) --place;
    if (copies > 0) {
      const auto at = static_cast<unsigned>(place) * copies;
      atomicAdd(counters + at + (threadIdx.x & (copies - 1)), 1u);
    } else if (place > 0 && place < n) {
      atomicAdd(result + place - 1, 1ull);
    }
  }

  __device__ void clear(std::int64_t n) const {
    for (std::int64_t i = threadIdx.x; i < (n + 1) * copies; i += kSearchThreads) counters[i] = 0;
  }
  __device__ void add_to_result(std::int64_t n) const {
    if (copies == 0) return;
    for (std::int64_t i = threadIdx.x; i < n - 1; i += kSearchThreads) {
      unsigned long long sum = 0;
      for (unsigned k = 0; k < copies; ++k) sum += counters[(i + 1) * copies + (k + threadIdx.x) % copies];
      if (sum != 0) atomicAdd(result + i, sum);
    }
  }
};

// -- The guide.

/// Bucket of a value: how far it is along the line from the first to the last finite element.
template <class T>
struct Line {
  using Real = kernels::conditional<kernels::same<T, float>, float, double>;
  Real first = 0, scale = 0, last_bucket = 0;  // as it stands: one bucket for all

  __device__ unsigned bucket(T value) const {
    const Real along = (static_cast<Real>(value) - first) * scale;
    if constexpr (kernels::same<Real, float>) {
      return __float2uint_rz(fminf(along, last_bucket));  // NaN are last, negative numbers in the first
    } else {
      return __double2uint_rz(fmin(along, last_bucket));
    }
  }

  __device__ static bool is_finite(Real x) { return x - x == 0; }
  /// Through an infinity at an end its neighbour is taken; a row that has no finite length has one bucket.
  __device__ static Line through(const SortedRow<T>& row, unsigned buckets) {
    Real first = static_cast<Real>(row[0]), last = static_cast<Real>(row[row.n - 1]);
    if (row.n > 2 && !is_finite(first)) first = static_cast<Real>(row[1]);
    if (row.n > 2 && !is_finite(last)) last = static_cast<Real>(row[row.n - 2]);
    const Real scale = static_cast<Real>(buckets) / (last - first);
    if (!is_finite(first) || !is_finite(last) || !is_finite(scale) || !(scale > 0)) return {};
    return {first, scale, static_cast<Real>(buckets - 1)};
  }
};

/// guide[b] = elements in buckets before b, and the steps of a search in b. `buckets` is a multiple of kGuideBlock.
template <class T>
__global__ void __launch_bounds__(kGuideThreads)
    build_guide(const SortedRow<T> row, unsigned* guide, unsigned buckets) {
  __shared__ unsigned begins[kGuideBlock + 1];
  const Line<T> line = Line<T>::through(row, buckets);
  const unsigned b = blockIdx.x * kGuideBlock + threadIdx.x;
  if (threadIdx.x <= kGuideBlock) {
    unsigned first = 0;
    for (auto left = static_cast<unsigned>(row.n); left > 0;) {
      const unsigned half = left / 2;
      const bool before = line.bucket(row[first + half]) < b;
      first += before ? half + 1 : 0;
      left = before ? left - half - 1 : half;
    }
    begins[threadIdx.x] = first;
  }
  __syncthreads();
  if (threadIdx.x >= kGuideBlock) return;
  const unsigned begin = begins[threadIdx.x], end = begins[threadIdx.x + 1];
  unsigned steps = 0;
  while (begin < end && (end - begin) >> steps != 0) ++steps;
  guide[b] = begin | steps << kPlaceBits;
}

// -- Searches.

/// Values and where their results go.
struct Search {
  const char* row;
  std::int64_t n;
  const char* values;
  char* out;
  std::int64_t size;  // values
};

/// A search with a guide: values and results are one run each.
struct GuidedSearch {
  Search of;
  const unsigned* guide;
  unsigned buckets;
  bool near;  // the row and the guide fit shared memory; they are searched there if no search takes two steps
};

/// The places of a thread's values: the steps of all are taken together. `kShort`: none takes two.
template <bool kShort, bool kRight, class T>
__device__ void find_places(const SortedRow<T>& row, const unsigned* guide, const Line<T>& line,
                            const T (&value)[kSearchEach<T>], unsigned (&place)[kSearchEach<T>]) {
  constexpr int kEach = kSearchEach<T>;
  unsigned steps[kEach], most = 0;
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const unsigned word = guide[line.bucket(value[j])];
    place[j] = word & static_cast<unsigned>(kMaxGuided);
    steps[j] = word >> kPlaceBits;
    most = steps[j] > most ? steps[j] : most;
  }
  if constexpr (kShort) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      if (steps[j] != 0) place[j] += goes_on<kRight>(row[place[j]], value[j]);
    }
  } else {
    for (; most > 0; --most) {
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        if (steps[j] < most) continue;
        const unsigned next = place[j] + (1u << (most - 1));
        if (next <= static_cast<unsigned>(row.n) && goes_on<kRight>(row[next - 1], value[j])) place[j] = next;
      }
    }
  }
}

/// The work of a block that stays.
template <bool kShort, class T, class Use>
__device__ void search_tiles(const Search& s, const SortedRow<T>& row, const unsigned* guide,
                             const Line<T>& line, const Use& use) {
  constexpr int kEach = kSearchEach<T>, kTile = kSearchTile<T>;
  for (std::int64_t begin = std::int64_t{blockIdx.x} * kTile; begin < s.size;
       begin += std::int64_t{gridDim.x} * kTile) {
    const auto* const values = reinterpret_cast<const T*>(s.values) + begin;
    char* const out = s.out + begin * Use::kResult;
    const auto count = static_cast<unsigned>(s.size - begin < kTile ? s.size - begin : kTile);
    T value[kEach];
    unsigned place[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const unsigned i = j * kSearchThreads + threadIdx.x;
      value[j] = i < count ? values[i] : T();
    }
    find_places<kShort, Use::kRight>(row, guide, line, value, place);
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const unsigned i = j * kSearchThreads + threadIdx.x;
      if (i < count) use(row, value[j], place[j], out + i * Use::kResult);
    }
  }
}

/// Copies the row and its guide to shared memory. Does a search take two steps or more?
template <class T>
__device__ bool bring_near(const GuidedSearch& s, T* row, unsigned* guide) {
  const auto* const from = reinterpret_cast<const T*>(s.of.row);
  for (std::int64_t i = threadIdx.x; i < s.of.n; i += kSearchThreads) row[i] = from[i];
  unsigned longest = 0;
  for (unsigned i = threadIdx.x; i < s.buckets; i += kSearchThreads) {
    const unsigned word = s.guide[i];
    guide[i] = word;
    longest = word > longest ? word : longest;
  }
  return longest >> kPlaceBits > 1;
}

/// A block of a guided search. `memory` holds the row and its guide where they are near, and the counters behind them.
template <class T, class Use>
__device__ void search_guided(const GuidedSearch& s, Use use, char* memory) {
  const SortedRow<T> far{s.of.row, s.of.n}, near{memory, s.of.n};
  const Line<T> line = Line<T>::through(far, s.buckets);
  auto* const guide = reinterpret_cast<unsigned*>(memory + s.of.n * static_cast<std::int64_t>(sizeof(T)));
  bool steps = true;
  if (s.near) steps = bring_near(s, reinterpret_cast<T*>(memory), guide);
  if constexpr (Use::kCounts) {
    use.counters = s.near ? guide + s.buckets : reinterpret_cast<unsigned*>(memory);
    use.clear(s.of.n);
  }
  if (__syncthreads_or(steps) == 0) {
    search_tiles<true>(s.of, near, guide, line, use);
  } else {
    search_tiles<false>(s.of, far, s.guide, line, use);
  }
  if constexpr (Use::kCounts) {
    __syncthreads();
    use.add_to_result(s.of.n);
  }
}

/// The search of one value in the whole row: for few values, and for dtypes that no line is drawn through.
template <class T, class Use>
__device__ void search_one(const Search& s, const Layout<2>& layout, const Use& use, std::int64_t i) {
  std::int64_t at[2];
  layout.offsets(i, at);
  const SortedRow<T> row{s.row, s.n};
  const T value = read_element<T>(s.values + at[0]);
  std::int64_t first = 0;
  for (std::int64_t left = s.n; left > 0;) {
    const std::int64_t half = left / 2;
    if (goes_on<Use::kRight>(row[first + half], value)) {
      first += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  use(row, value, first, s.out + at[1]);
}

}  // namespace cuprum::cuda::primitives
