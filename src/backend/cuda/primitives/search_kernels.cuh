// Searches for many values in one sorted row, and what is made of the places: written down, compared, or counted.
//
// A guide shortens the search. A straight line through the row's ends puts every value into one of a number of buckets;
// it never falls, so that elements in a bucket before a value's own come before the value, and those behind come behind.
// The guide says for each bucket where its elements begin and how many steps a search among them takes: none or one
// where the elements are spread evenly, never more than in the whole row. Rounding moves a value and an equal element
// alike, hence the places are exact.
//
// Blocks stay and share the values out; a small row and its guide lie in their shared memory (1000 elements: 24 KiB).
// Every thread takes its steps for 32 bytes of values together, whose reads are then in flight at once.
#pragma once

#include "backend/cuda/primitives/element.cuh"
#include "backend/cuda/primitives/layout.h"
#include "backend/cuda/primitives/words.cuh"
#include "kernels/order.h"

namespace cuprum::cuda::primitives {

inline constexpr int kSearchThreads = 512;
template <class T>
inline constexpr int kSearchEach = 32 / sizeof(T);  // values of a thread at a time
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
  return kRight ? !kernels::sorts_before(value, element) : kernels::sorts_before(element, value);
}

// -- What is made of a place. `to` is the address of the value's result.

template <bool kSide>
struct WritePlace {
  static constexpr bool kRight = kSide, kCounts = false;
  static constexpr int kResult = 8;  // bytes
  template <class T>
  __device__ void operator()(const SortedRow<T>&, T, std::int64_t place, char* to) const {
    store(to, place);
  }
};

struct WriteFound {
  static constexpr bool kRight = false, kCounts = false;
  static constexpr int kResult = 1;
  template <class T>
  __device__ void operator()(const SortedRow<T>& row, T value, std::int64_t place, char* to) const {
    store(to, place < row.n && kernels::equal(row[place], value));
  }
};

/// Counts the values between elements of the row; the last interval is closed. A block counts in shared memory, where
/// there are several counters for each interval, so that the threads of a warp seldom meet at one; or, with too many
/// intervals, where the result is.
struct CountInterval {
  static constexpr bool kRight = true, kCounts = true;
  static constexpr int kResult = 0;
  unsigned long long* result;
  unsigned copies;               // of each counter, a power of two; 0: none in shared memory
  unsigned* counters = nullptr;  // [interval][copy]

  template <class T>
  __device__ void operator()(const SortedRow<T>& row, T value, std::int64_t place, char*) const {
    if (place == 0) return;
    if (place == row.n) {
      if (kernels::sorts_before(row[row.n - 1], value)) return;
      --place;
    }
    if (copies > 0) {
      atomicAdd(counters + (place - 1) * copies + (threadIdx.x & (copies - 1)), 1u);
    } else {
      atomicAdd(result + place - 1, 1ull);
    }
  }

  __device__ void clear(std::int64_t intervals) const {
    for (std::int64_t i = threadIdx.x; i < intervals * copies; i += kSearchThreads) counters[i] = 0;
  }
  __device__ void add_to_result(std::int64_t intervals) const {
    if (copies == 0) return;
    for (std::int64_t i = threadIdx.x; i < intervals; i += kSearchThreads) {
      unsigned long long sum = 0;
      for (unsigned k = 0; k < copies; ++k) sum += counters[i * copies + (k + threadIdx.x) % copies];
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
    const Real within = along < last_bucket ? along : last_bucket;  // NaN are last
    return within > 0 ? static_cast<unsigned>(within) : 0;
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
  bool near;  // the row and the guide fit shared memory
};

/// The places of a thread's values: the steps of all are taken together.
template <class T, bool kRight>
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
  for (; most > 0; --most) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      if (steps[j] < most) continue;
      const unsigned next = place[j] + (1u << (most - 1));
      if (next <= row.n && goes_on<kRight>(row[next - 1], value[j])) place[j] = next;
    }
  }
}

/// The work of a block that stays.
template <class T, class Use>
__device__ void search_tiles(const Search& s, const SortedRow<T>& row, const unsigned* guide,
                             const Line<T>& line, const Use& use) {
  constexpr int kEach = kSearchEach<T>;
  const auto* const values = reinterpret_cast<const T*>(s.values);
  const std::int64_t stride = std::int64_t{gridDim.x} * kSearchTile<T>;
  for (std::int64_t begin = std::int64_t{blockIdx.x} * kSearchTile<T> + threadIdx.x; begin < s.size;
       begin += stride) {
    T value[kEach];
    unsigned place[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const std::int64_t i = begin + j * kSearchThreads;
      value[j] = i < s.size ? values[i] : T();
    }
    find_places<T, Use::kRight>(row, guide, line, value, place);
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const std::int64_t i = begin + j * kSearchThreads;
      if (i < s.size) use(row, value[j], std::int64_t{place[j]}, s.out + i * Use::kResult);
    }
  }
}

/// Copies the row and its guide to shared memory, one behind the other.
template <class T>
__device__ void bring_near(const GuidedSearch& s, T* row, unsigned* guide) {
  const auto* const from = reinterpret_cast<const T*>(s.of.row);
  for (std::int64_t i = threadIdx.x; i < s.of.n; i += kSearchThreads) row[i] = from[i];
  for (unsigned i = threadIdx.x; i < s.buckets; i += kSearchThreads) guide[i] = s.guide[i];
}

/// A block of a guided search. `memory` holds the row and its guide where they are near, and the counters behind them.
template <class T, class Use>
__device__ void search_guided(const GuidedSearch& s, Use use, char* memory) {
  const SortedRow<T> far{s.of.row, s.of.n}, near{memory, s.of.n};
  const Line<T> line = Line<T>::through(far, s.buckets);
  auto* const guide = reinterpret_cast<unsigned*>(memory + s.of.n * static_cast<std::int64_t>(sizeof(T)));
  if (s.near) bring_near(s, reinterpret_cast<T*>(memory), guide);
  if constexpr (Use::kCounts) {
    use.counters = s.near ? guide + s.buckets : reinterpret_cast<unsigned*>(memory);
    use.clear(s.of.n - 1);
  }
  __syncthreads();
  if (s.near) {
    search_tiles<T>(s.of, near, guide, line, use);
  } else {
    search_tiles<T>(s.of, far, s.guide, line, use);
  }
  if constexpr (Use::kCounts) {
    __syncthreads();
    use.add_to_result(s.of.n - 1);
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
