// What is made of the place of a value in a sorted row: written down, compared, counted, or interpolated at.
//
// A use is called with the row, the value, its place and the address of its result. Blocks that stay (search_kernels.cuh)
// call `begin` before their first value, with shared memory for the use, and `end` behind the last.
#pragma once

#include "backend/cuda/primitives/common/element.cuh"
#include "backend/cuda/primitives/common/words.cuh"
#include "kernels/interpolate.h"
#include "kernels/order.h"

namespace cuprum::cuda::primitives {

inline constexpr int kSearchThreads = 512;

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

/// A use that needs nothing but the place.
template <class Use>
struct SimpleUse {
  static constexpr bool kCounts = false;
  __device__ void begin(std::int64_t, char*, bool) {}
  __device__ const Use& nearby(char*) const { return static_cast<const Use&>(*this); }
  __device__ void end(std::int64_t) const {}
};

template <bool kSide>
struct WritePlace : SimpleUse<WritePlace<kSide>> {
  static constexpr bool kRight = kSide;
  static constexpr int kResult = 8;  // bytes
  template <class T, class Place>
  __device__ void operator()(const SortedRow<T>&, T, Place place, char* to) const {
    store(to, static_cast<std::int64_t>(place));
  }
};

struct WriteFound : SimpleUse<WriteFound> {
  static constexpr bool kRight = false;
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

  __device__ void begin(std::int64_t n, char* memory, bool) {
    counters = reinterpret_cast<unsigned*>(memory);
    for (std::int64_t i = threadIdx.x; i < (n + 1) * copies; i += kSearchThreads) counters[i] = 0;
  }
  __device__ const CountInterval& nearby(char*) const { return *this; }

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

  __device__ void end(std::int64_t n) const {
    __syncthreads();
    if (copies == 0) return;
    for (std::int64_t i = threadIdx.x; i < n - 1; i += kSearchThreads) {
      unsigned long long sum = 0;
      for (unsigned k = 0; k < copies; ++k) sum += counters[(i + 1) * copies + (k + threadIdx.x) % copies];
      if (sum != 0) atomicAdd(result + i, sum);
    }
  }
};

/// The value of the line between the points on both sides. The points' values lie beside a row that is near.
struct OnLine {
  static constexpr bool kRight = true, kCounts = false;
  static constexpr int kResult = 8;
  const double *fp, *ends;  // ends: the values beyond the points
  bool reciprocal;

  __device__ void begin(std::int64_t n, char* memory, bool near) const {
    if (!near) return;
    for (std::int64_t i = threadIdx.x; i < n; i += kSearchThreads)
      reinterpret_cast<double*>(memory)[i] = fp[i];
  }
  __device__ OnLine nearby(const char* memory) const {
    return {reinterpret_cast<const double*>(memory), ends, reciprocal};
  }
  template <class Place>
  __device__ void operator()(const SortedRow<double>& row, double x, Place place, char* to) const {
    const auto* const xp = reinterpret_cast<const double*>(row.data);
    const kernels::Points points{xp, fp, row.n, __ldg(ends), __ldg(ends + 1), reciprocal};
    store(to, points.at(x, place));
  }
  __device__ void end(std::int64_t) const {}
};

}  // namespace cuprum::cuda::primitives
