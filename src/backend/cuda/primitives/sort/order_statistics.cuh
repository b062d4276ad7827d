// The elements at a few ranks of a long row, found without sorting it: one pass over the row per digit of its sort keys.
//
// A pass counts, by their next digit, the elements whose higher digits are those of a wanted element; the counts tell the
// digit of each wanted element and its rank among those that share it. Ranks whose elements have the same digits so far
// share their counters (a group). Three passes for 4 bytes, six for 8: a sort reads and writes everything as often again.
#pragma once

#include <cstdint>

#include "kernels/sort_key.h"

namespace cuprum::cuda::primitives {

inline constexpr int kDigitBits = 11, kDigits = 1 << kDigitBits;
inline constexpr int kMaxRanks = 9;  // four quantiles between two elements each, and the last
inline constexpr int kCountThreads = 512, kPickThreads = 256;

/// What is known of the wanted elements, in the order of their ranks.
struct Wanted {
  std::int64_t rank[kMaxRanks];   // among the elements of the group
  std::uint64_t high[kMaxRanks];  // the digits found so far
  int group[kMaxRanks];
  std::uint64_t group_high[kMaxRanks];
  int groups;
};

struct Ranks {
  std::int64_t of[kMaxRanks];  // ascending
  int count;
};

/// Writes what is known before the first pass, and clears all counters. One block.
__global__ void __launch_bounds__(kPickThreads)
    begin_ranks(const Ranks ranks, Wanted* wanted, unsigned long long* counts) {
  for (int i = threadIdx.x; i < ranks.count * kDigits; i += kPickThreads) counts[i] = 0;
  if (threadIdx.x != 0) return;
  for (int t = 0; t < ranks.count; ++t) {
    wanted->rank[t] = ranks.of[t];
    wanted->high[t] = 0;
    wanted->group[t] = 0;
  }
  wanted->groups = 1;
  wanted->group_high[0] = 0;
}

/// The part of count_digits that passes over the row, for kGroups groups; 0: every element counts.
template <class K, int kGroups>
__device__ void count_tiles(const typename K::Bits* row, std::int64_t n, int shift, int bits,
                            const Wanted& wanted, unsigned* memory) {
  using Bits = typename K::Bits;
  constexpr int kEach = 32 / sizeof(Bits), kTile = kCountThreads * kEach;
  const int groups = wanted.groups, above = shift + bits;
  const Bits mask = static_cast<Bits>((Bits(1) << bits) - 1);
  Bits high[kGroups + 1];
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    high[g] =
        g < groups ? static_cast<Bits>(wanted.group_high[g]) : static_cast<Bits>(~Bits(0));  // of no element
  }
  for (std::int64_t begin = std::int64_t{blockIdx.x} * kTile; begin < n;
       begin += std::int64_t{gridDim.x} * kTile) {
    const auto count = static_cast<unsigned>(n - begin < kTile ? n - begin : kTile);
    Bits key[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const unsigned i = j * kCountThreads + threadIdx.x;
      key[j] = i < count ? K::lossless(row[begin + i]) : Bits(0);
    }
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      if (j * kCountThreads + threadIdx.x >= count) continue;
      const auto digit = static_cast<unsigned>(key[j] >> shift & mask);
      if constexpr (kGroups == 0) {
        atomicAdd(memory + digit, 1u);
      } else {
        const Bits own = key[j] >> above;
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
          if (own == high[g]) atomicAdd(memory + g * kDigits + digit, 1u);
        }
      }
    }
  }
}

/// Digits [shift, shift + bits) of keys whose higher bits are those of a group, counted per group. `memory` has room for
/// the counters of all groups, 4 bytes each. Most elements belong to no group: what is asked of each decides the time.
template <class K>
__device__ void count_digits(const typename K::Bits* row, std::int64_t n, int shift, int bits,
                             const Wanted& wanted, unsigned long long* counts, unsigned* memory) {
  const int groups = wanted.groups;
  for (int i = threadIdx.x; i < groups * kDigits; i += kCountThreads) memory[i] = 0;
  __syncthreads();
  if (shift + bits >= static_cast<int>(sizeof(typename K::Bits)) * 8) {
    count_tiles<K, 0>(row, n, shift, bits, wanted, memory);
  } else if (groups == 1) {
    count_tiles<K, 1>(row, n, shift, bits, wanted, memory);
  } else if (groups == 2) {
    count_tiles<K, 2>(row, n, shift, bits, wanted, memory);
  } else if (groups == 3) {
    count_tiles<K, 3>(row, n, shift, bits, wanted, memory);
  } else {
    count_tiles<K, kMaxRanks>(row, n, shift, bits, wanted, memory);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < groups * kDigits; i += kCountThreads) {
    if (memory[i] != 0) atomicAdd(counts + i, static_cast<unsigned long long>(memory[i]));
  }
}

/// The sum of `value`, of 4 or 8 bytes, over this lane and all lower ones.
template <class T>
__device__ T sum_of_lower_lanes(T value, int lane) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    T other = __shfl_up_sync(~0u, static_cast<unsigned>(value), step);
    if constexpr (sizeof(T) == 8) {
      const unsigned high = __shfl_up_sync(~0u, static_cast<unsigned>(value >> 32), step);
      other |= static_cast<T>(high) << 32;
    }
    if (lane >= step) value += other;
  }
  return value;
}

/// The sum of `value` over all lower threads of the block.
template <class T>
__device__ T sum_of_lower_threads(T value, T* warps) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const T sum = sum_of_lower_lanes(value, lane);
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  T before = sum - value;
  for (int w = 0; w < warp; ++w) before += warps[w];
  __syncthreads();
  return before;
}

/// After a pass: the digit of each wanted element, and the groups of the next pass; clears the counters. All threads of one
/// block; thread 0 has written `found` in the end.
template <int kThreads, class T>
__device__ void pick_digit(const Wanted& known, Wanted& found, int ranks, int bits, T* counts, T* warps) {
  constexpr int kEach = kDigits / kThreads;
  const int groups = known.group[ranks - 1] + 1, first = threadIdx.x * kEach;
  for (int g = 0, t = 0; g < groups; ++g) {
    T bins[kEach], own = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      T& counter = counts[g * kDigits + first + k];
      bins[k] = counter;
      counter = 0;
      own += bins[k];
    }
    const T before = sum_of_lower_threads(own, warps);
    for (; t < ranks && known.group[t] == g; ++t) {
      const auto rank = static_cast<T>(known.rank[t]);
      if (rank < before || rank >= before + own) continue;  // one thread has the digit
      T below = before;
      int digit = 0;
#pragma unroll
      for (int k = 0; k < kEach; ++k) {
        if (digit < k || below + bins[k] > rank) continue;
        below += bins[k];
        ++digit;
      }
      found.rank[t] = static_cast<std::int64_t>(rank - below);
      found.high[t] = known.high[t] << bits | static_cast<unsigned>(first + digit);
    }
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  int next = 0;
  for (int t = 0; t < ranks; ++t) {
    if (t == 0 || found.high[t] != found.high[t - 1]) found.group_high[next++] = found.high[t];
    found.group[t] = next - 1;
  }
  found.groups = next;
}

/// The same between two launches. One block.
template <class K>
__global__ void __launch_bounds__(kPickThreads)
    pick_digits(Wanted* wanted, int ranks, int bits, unsigned long long* counts) {
  __shared__ unsigned long long warps[kPickThreads / 32];
  __shared__ Wanted known, found;
  if (const int t = threadIdx.x; t < ranks) {
    known.rank[t] = wanted->rank[t];
    known.high[t] = wanted->high[t];
    known.group[t] = wanted->group[t];
  }
  __syncthreads();
  pick_digit<kPickThreads>(known, found, ranks, bits, counts, warps);
  if (threadIdx.x == 0) *wanted = found;
}

/// All digits are known: out[t] = the wanted element. One block.
template <class K>
__global__ void write_elements(const Wanted* wanted, int ranks, typename K::Bits* out) {
  const int t = threadIdx.x;
  if (t < ranks) out[t] = K::restore(static_cast<typename K::Bits>(wanted->high[t]));
}

// -- Rows that fit the shared memory of a block: read once.

inline constexpr int kRowThreads = 512;

/// Bytes for the keys of a row and the counters of all groups.
template <class K>
constexpr std::int64_t row_memory(std::int64_t n, int ranks) {
  return (n * static_cast<std::int64_t>(sizeof(typename K::Bits)) + 15) / 16 * 16 +
         std::int64_t{ranks} * kDigits * 4;
}

/// Row number blockIdx.x: out[t] = the element of rank t, for each of `ranks`. One block of kRowThreads.
template <class K>
__device__ void find_in_row(const typename K::Bits* rows, int n, const Ranks& ranks, typename K::Bits* out,
                            char* memory) {
  using Bits = typename K::Bits;
  __shared__ unsigned warps[kRowThreads / 32];
  __shared__ Wanted wanted[2];
  auto* const counts = reinterpret_cast<unsigned*>(memory);
  auto* const keys = reinterpret_cast<Bits*>(counts + ranks.count * kDigits);
  const Bits* const row = rows + static_cast<std::int64_t>(blockIdx.x) * n;
  const int thread = threadIdx.x;
  for (int i = thread; i < n; i += kRowThreads) keys[i] = K::lossless(row[i]);
  for (int i = thread; i < ranks.count * kDigits; i += kRowThreads) counts[i] = 0;
  if (thread < ranks.count) {
    wanted[0].rank[thread] = ranks.of[thread];
    wanted[0].high[thread] = 0;
    wanted[0].group[thread] = 0;
  }
  if (thread == 0) wanted[0].groups = 1;
  constexpr int all = sizeof(Bits) * 8;
  int turn = 0;
  for (int above = all; above > 0; turn ^= 1) {
    const int bits = above < kDigitBits ? above : kDigitBits, shift = above - bits;
    const Bits mask = static_cast<Bits>((Bits(1) << bits) - 1);
    const Wanted& known = wanted[turn];
    __syncthreads();
    for (int i = thread; i < n; i += kRowThreads) {
      const Bits key = keys[i];
      const auto digit = static_cast<unsigned>(key >> shift & mask);
      if (above == all) {
        atomicAdd(counts + digit, 1u);
        continue;
      }
      for (int g = 0; g < known.groups; ++g) {
        if (key >> above == static_cast<Bits>(known.group_high[g]))
          atomicAdd(counts + g * kDigits + digit, 1u);
      }
    }
    __syncthreads();
    pick_digit<kRowThreads>(known, wanted[turn ^ 1], ranks.count, bits, counts, warps);
    above = shift;
  }
  __syncthreads();
  if (thread < ranks.count)
    out[static_cast<std::int64_t>(blockIdx.x) * ranks.count + thread] =
        K::restore(static_cast<Bits>(wanted[turn].high[thread]));
}

}  // namespace cuprum::cuda::primitives
