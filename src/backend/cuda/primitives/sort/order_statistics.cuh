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

/// The sum of `value` over this lane and all lower ones.
__device__ inline unsigned long long sum_of_lower_lanes(unsigned long long value, int lane) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const unsigned low = __shfl_up_sync(~0u, static_cast<unsigned>(value), step);
    const unsigned high = __shfl_up_sync(~0u, static_cast<unsigned>(value >> 32), step);
    if (lane >= step) value += static_cast<unsigned long long>(high) << 32 | low;
  }
  return value;
}

/// The sum of `value` over all lower threads of a block of kPickThreads.
__device__ inline unsigned long long sum_of_lower_threads(unsigned long long value,
                                                          unsigned long long* warps) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned long long sum = sum_of_lower_lanes(value, lane);
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  unsigned long long before = sum - value;
  for (int w = 0; w < warp; ++w) before += warps[w];
  __syncthreads();
  return before;
}

/// After a pass: the digit of each wanted element, and the groups of the next pass; clears the counters. One block.
template <class K>
__global__ void __launch_bounds__(kPickThreads)
    pick_digits(Wanted* wanted, int ranks, int bits, unsigned long long* counts) {
  constexpr int kEach = kDigits / kPickThreads;
  __shared__ unsigned long long warps[kPickThreads / 32];
  __shared__ Wanted known, found;
  if (const int t = threadIdx.x; t < ranks) {
    known.rank[t] = wanted->rank[t];
    known.high[t] = wanted->high[t];
    known.group[t] = wanted->group[t];
  }
  __syncthreads();
  const int groups = known.group[ranks - 1] + 1, first = threadIdx.x * kEach;
  for (int g = 0, t = 0; g < groups; ++g) {
    unsigned long long bins[kEach], own = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      unsigned long long& counter = counts[g * kDigits + first + k];
      bins[k] = counter;
      counter = 0;
      own += bins[k];
    }
    const unsigned long long before = sum_of_lower_threads(own, warps);
    for (; t < ranks && known.group[t] == g; ++t) {
      const auto rank = static_cast<unsigned long long>(known.rank[t]);
      if (rank < before || rank >= before + own) continue;  // one thread has the digit
      unsigned long long below = before;
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
    if (t == 0 || found.high[t] != found.high[t - 1]) wanted->group_high[next++] = found.high[t];
    wanted->rank[t] = found.rank[t];
    wanted->high[t] = found.high[t];
    wanted->group[t] = next - 1;
  }
  wanted->groups = next;
}

/// All digits are known: out[t] = the wanted element. One block.
template <class K>
__global__ void write_elements(const Wanted* wanted, int ranks, typename K::Bits* out) {
  const int t = threadIdx.x;
  if (t < ranks) out[t] = K::restore(static_cast<typename K::Bits>(wanted->high[t]));
}

}  // namespace cuprum::cuda::primitives
