// Sums at few places, as histograms have them: made in the shared memory of every block, then added to the array.
//
// Shared memory adds words of 32 bits by itself; everything wider, and floats, by compare-and-swap, at a fifth of the speed.
// So integers of 64 bits are added as two words, the addition that wraps the lower one carrying into the upper one, and
// where all positions bring the same value they are only counted. A float is counted if it is a whole number so small
// that the sums are exact in any order (below 2^20, fewer than 2^32 times).
#pragma once

#include "backend/cuda/primitives/index/index_strategy.h"

namespace cuprum::cuda::primitives {

inline constexpr int kFewThreads = 256, kFewInFlight = 4;
static_assert(kCopies <= kFewThreads / 32 && kCopies * kCopiedPlaces <= kFewPlaces);

/// A sum per place in `words` of shared memory, all 0 bits at first.
template <class T>
struct SharedSums {
  unsigned* words;
  unsigned places;
  __device__ void add(unsigned place, T x) const { atomicAdd(reinterpret_cast<T*>(words) + place, x); }
  __device__ T get(unsigned place) const { return reinterpret_cast<const T*>(words)[place]; }
};
template <>
struct SharedSums<unsigned long long> {
  unsigned* words;  // the lower ones, then the upper ones
  unsigned places;
  __device__ void add(unsigned place, unsigned long long x) const {
    const unsigned low = static_cast<unsigned>(x), before = atomicAdd(words + place, low);
    const unsigned high = static_cast<unsigned>(x >> 32) + (before + low < low ? 1u : 0u);
    if (high != 0) atomicAdd(words + places + place, high);
  }
  __device__ unsigned long long get(unsigned place) const {
    return static_cast<unsigned long long>(words[places + place]) << 32 | words[place];
  }
};

/// Is `count * value` what so many additions give? Counts are below 2^32.
template <class T>
__device__ bool is_countable(T value) {
  if constexpr (T(0.5) == T(0)) {
    return true;  // an integer, modulo its width
  } else {
    return value > T(-1048576) && value < T(1048576) && static_cast<T>(static_cast<int>(value)) == value;
  }
}
template <class T>
__device__ T times(unsigned count, T value) {
  if constexpr (T(0.5) == T(0)) {
    return static_cast<T>(count) * value;
  } else {
    return static_cast<T>(static_cast<double>(count) * static_cast<double>(value));
  }
}

/// f(place, position) for this block's share of the positions, the indices of several at a time.
template <class Positions, class F>
__device__ void each_of_few(const Positions& positions, unsigned places, F f) {
  constexpr int kTile = kFewThreads * kFewInFlight;
  for (std::int64_t first = std::int64_t{blockIdx.x} * kTile + threadIdx.x; first < positions.size;
       first += std::int64_t{gridDim.x} * kTile) {
    unsigned place[kFewInFlight];
#pragma unroll
    for (int k = 0; k < kFewInFlight; ++k) {
      const std::int64_t p = first + k * kFewThreads;
      place[k] = p < positions.size ? positions.place(p) : places;
    }
#pragma unroll
    for (int k = 0; k < kFewInFlight; ++k) {
      if (place[k] < places) f(place[k], first + k * kFewThreads);
    }
  }
}

/// What a kernel below is given: array[place] += line[position], or -= .
struct FewSums {
  char* array;
  std::int64_t step;
  unsigned places;
  bool subtract;
  bool uniform;     // all positions bring the same value, and can be counted in 32 bits
  unsigned copies;  // of the sums in shared memory, each for some warps of a block

  template <class T>
  __device__ T* at(unsigned place) const {
    return reinterpret_cast<T*>(array + place * step);
  }
  template <class T>
  __device__ T signed_value(const char* value) const {
    const T x = *reinterpret_cast<const T*>(value);
    return subtract ? static_cast<T>(-x) : x;
  }
};

template <class T, class Positions>
__global__ void __launch_bounds__(kFewThreads)
    sum_at_few(const __grid_constant__ Positions positions, const __grid_constant__ FewSums sums) {
  __shared__ alignas(8) unsigned words[kFewPlaces * sizeof(T) / 4];
  const unsigned table = sums.places * (sizeof(T) / 4);  // words
  for (unsigned i = threadIdx.x; i < table * sums.copies; i += kFewThreads) words[i] = 0;
  __syncthreads();
  const T value = sums.uniform ? sums.template signed_value<T>(positions.of_line(0)) : T(0);
  const bool counts = sums.uniform && is_countable(value);
  const auto copy = [&](unsigned c) { return SharedSums<T>{words + c * table, sums.places}; };
  if (counts) {
    each_of_few(positions, sums.places, [&](unsigned place, std::int64_t) { atomicAdd(words + place, 1u); });
  } else {
    const SharedSums<T> mine = copy(threadIdx.x / 32 % sums.copies);
    each_of_few(positions, sums.places, [&](unsigned place, std::int64_t p) {
      mine.add(place, sums.template signed_value<T>(positions.of_line(p)));
    });
  }
  __syncthreads();
  for (unsigned p = threadIdx.x; p < sums.places; p += kFewThreads) {
    T sum = counts ? times<T>(words[p], value) : copy(0).get(p);
    for (unsigned c = 1; c < sums.copies && !counts; ++c) sum += copy(c).get(p);
    if (counts ? words[p] != 0 : sum != T(0)) atomicAdd(sums.template at<T>(p), sum);
  }
}

}  // namespace cuprum::cuda::primitives
