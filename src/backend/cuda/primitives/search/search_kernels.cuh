// Searches for many values in one sorted row, and what is made of the places: written down, compared, or counted.
//
// A guide shortens the search. A straight line through the row's ends puts every value into one of a number of buckets;
// it never falls, so that elements in a bucket before a value's own come before the value, and those behind come behind.
// The guide says for each bucket where its elements begin and how many steps a search among them takes: none or one
// where the elements are spread evenly, never more than in the whole row. Rounding moves a value and an equal element
// alike, hence the places are exact.
//
// Blocks stay and share the values out. A small row lies in their shared memory with its guide (1000 elements: 24 KiB), and
// is searched without a loop where no bucket holds two elements; larger ones lie in the caches. Every thread takes its steps for a few values together,
// whose reads are then in flight at once. 2^24 float64 in 1000 elements take 0.08 ms on an H200 (a copy 0.07, a binary
// search by a thread per value 0.20), 2^26 float32 in 2^20 elements 0.78 ms (4.4).
#pragma once

#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/search/search_uses.cuh"

namespace cuprum::cuda::primitives {

template <class T>
inline constexpr int kSearchEach = kernels::same<T, float> ? 8 : 4;  // values of a thread at a time
template <class T>
inline constexpr int kSearchTile = kSearchThreads* kSearchEach<T>;
inline constexpr int kGuideThreads = 256;
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

/// What the guide says of bucket b: the elements in buckets before it, and the steps of a search in it, as many as make
/// 2^steps more than its elements.
template <class T>
__device__ unsigned guide_word(const SortedRow<T>& row, const Line<T>& line, unsigned b) {
  const auto n = static_cast<unsigned>(row.n);
  unsigned begin = 0, steps = 0;
  for (unsigned left = n; left > 0;) {
    const unsigned half = left / 2;
    const bool before = line.bucket(row[begin + half]) < b;
    begin += before ? half + 1 : 0;
    left = before ? left - half - 1 : half;
  }
  for (unsigned at = begin; at < n && line.bucket(row[at]) == b; at = begin + (1u << steps) - 1) ++steps;
  return begin | steps << kPlaceBits;
}

/// The guide of a row that is searched in the caches. `buckets` is a multiple of kGuideThreads.
template <class T>
__global__ void __launch_bounds__(kGuideThreads)
    build_guide(const SortedRow<T> row, unsigned* guide, unsigned buckets) {
  const unsigned b = blockIdx.x * kGuideThreads + threadIdx.x;
  guide[b] = guide_word(row, Line<T>::through(row, buckets), b);
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
  const unsigned* guide;  // null: the row and its guide fit shared memory, where every block makes them
  unsigned buckets;
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

/// A block's search in its shared memory, which holds the row, its guide, and what the use wants behind them.
template <class T, class Use>
__device__ void search_near(const GuidedSearch& s, const Line<T>& line, Use use, char* memory) {
  const SortedRow<T> row{memory, s.of.n};
  auto* const elements = reinterpret_cast<T*>(memory);
  auto* const guide = reinterpret_cast<unsigned*>(elements + s.of.n);
  char* const behind = reinterpret_cast<char*>(guide + s.buckets);
  const auto* const from = reinterpret_cast<const T*>(s.of.row);
  for (std::int64_t i = threadIdx.x; i < s.of.n; i += kSearchThreads) elements[i] = from[i];
  use.begin(s.of.n, behind, true);
  __syncthreads();
  unsigned longest = 0;
  for (unsigned b = threadIdx.x; b < s.buckets; b += kSearchThreads) {
    const unsigned word = guide_word(row, line, b);
    guide[b] = word;
    longest = word > longest ? word : longest;
  }
  if (__syncthreads_or(longest >> kPlaceBits > 1) == 0) {
    search_tiles<true>(s.of, row, guide, line, use.nearby(behind));
  } else {
    search_tiles<false>(s.of, row, guide, line, use.nearby(behind));
  }
  use.end(s.of.n);
}

/// A block's search in the caches. `memory` is for the use alone.
template <class T, class Use>
__device__ void search_far(const GuidedSearch& s, const Line<T>& line, Use use, char* memory) {
  use.begin(s.of.n, memory, false);
  __syncthreads();
  search_tiles<false>(s.of, SortedRow<T>{s.of.row, s.of.n}, s.guide, line, use);
  use.end(s.of.n);
}

template <class T, class Use>
__device__ void search_guided(const GuidedSearch& s, const Use& use, char* memory) {
  const Line<T> line = Line<T>::through(SortedRow<T>{s.of.row, s.of.n}, s.buckets);
  if (s.guide == nullptr) {
    search_near<T>(s, line, use, memory);
  } else {
    search_far<T>(s, line, use, memory);
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
