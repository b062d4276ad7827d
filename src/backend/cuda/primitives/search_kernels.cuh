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

#include "backend/cuda/primitives/layout.h"
#include "backend/cuda/primitives/search_uses.cuh"

namespace cuprum::cuda::primitives {

template <class T>
inline constexpr int kSearchEach = kernels::same<T, float> ? 8 : 4;  // values of a thread at a time
template <class T>
inline constexpr int kSearchTile = kSearchThreads* kSearchEach<T>;
inline constexpr int kGuideBlock = 256, kGuideThreads = kGuideBlock + 32;  // buckets of a block, and one more
inline constexpr int kPlaceBits = 26;  // of a word of the guide; the others count steps
inline constexpr std::int64_t kMaxGuided = (std::int64_t{1} << kPlaceBits) - 1;  // elements of the row

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

/// A block of a guided search. `memory` holds the row and its guide where they are near, and what the use wants behind them.
template <class T, class Use>
__device__ void search_guided(const GuidedSearch& s, Use use, char* memory) {
  const SortedRow<T> far{s.of.row, s.of.n}, near{memory, s.of.n};
  const Line<T> line = Line<T>::through(far, s.buckets);
  auto* const guide = reinterpret_cast<unsigned*>(memory + s.of.n * static_cast<std::int64_t>(sizeof(T)));
  char* const behind = s.near ? reinterpret_cast<char*>(guide + s.buckets) : memory;
  bool steps = true;
  if (s.near) steps = bring_near(s, reinterpret_cast<T*>(memory), guide);
  use.begin(s.of.n, behind, s.near);
  if (__syncthreads_or(steps) == 0) {
    search_tiles<true>(s.of, near, guide, line, use.nearby(behind));
  } else {
    search_tiles<false>(s.of, far, s.guide, line, use);
  }
  use.end(s.of.n);
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
