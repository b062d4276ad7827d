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

/// Digits [shift, shift + bits) of keys whose higher bits are those of a group, counted per group. `memory` has room for
/// the counters of all groups, 4 bytes each.
template <class K>
__device__ void count_digits(const typename K::Bits* row, std::int64_t n, int shift, int bits,
                             const Wanted& wanted, unsigned long long* counts, unsigned* memory) {
  using Bits = typename K::Bits;
  constexpr int kEach = 32 / sizeof(Bits);
  const int groups = wanted.groups, above = shift + bits;
  for (int i = threadIdx.x; i < groups * kDigits; i += kCountThreads) memory[i] = 0;
  Bits high[kMaxRanks];
#pragma unroll
  for (int g = 0; g < kMaxRanks; ++g)
    high[g] = g < groups ? static_cast<Bits>(wanted.group_high[g]) : Bits(0);
  __syncthreads();
  const bool all = above >= static_cast<int>(sizeof(Bits)) * 8;
  const Bits mask = static_cast<Bits>((Bits(1) << bits) - 1);
  const std::int64_t stride = std::int64_t{gridDim.x} * kCountThreads * kEach;
  for (std::int64_t begin = std::int64_t{blockIdx.x} * kCountThreads * kEach + threadIdx.x; begin < n;
       begin += stride) {
    Bits key[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const std::int64_t i = begin + j * kCountThreads;
      key[j] = i < n ? K::encode(row[i]) : Bits(0);
    }
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      if (begin + j * kCountThreads >= n) continue;
      const auto digit = static_cast<unsigned>(key[j] >> shift & mask);
      if (all) {
        atomicAdd(memory + digit, 1u);
        continue;
      }
#pragma unroll
      for (int g = 0; g < kMaxRanks; ++g) {
        if (g < groups && key[j] >> above == high[g]) atomicAdd(memory + g * kDigits + digit, 1u);
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < groups * kDigits; i += kCountThreads) {
    if (memory[i] != 0) atomicAdd(counts + i, static_cast<unsigned long long>(memory[i]));
  }
}

/// sums[i] becomes sums[0] + ... + sums[i]. One block of kPickThreads.
__device__ inline void sum_up(unsigned long long* sums) {
  for (int step = 1; step < kPickThreads; step *= 2) {
    const int i = threadIdx.x;
    const unsigned long long lower = i >= step ? sums[i - step] : 0;
    __syncthreads();
    sums[i] += lower;
    __syncthreads();
  }
}

/// After a pass: the digit of each wanted element, and the groups of the next pass; clears the counters. One block.
template <class K>
__global__ void __launch_bounds__(kPickThreads)
    pick_digits(Wanted* wanted, int ranks, int bits, unsigned long long* counts) {
  constexpr int kEach = kDigits / kPickThreads;
  __shared__ unsigned long long sums[kPickThreads];
  const int first = threadIdx.x * kEach;
  for (int t = 0; t < ranks; ++t) {
    const unsigned long long* const bins = counts + wanted->group[t] * kDigits;
    const auto rank = static_cast<unsigned long long>(wanted->rank[t]);
    unsigned long long own = 0;
    for (int k = 0; k < kEach; ++k) own += bins[first + k];
    sums[threadIdx.x] = own;
    __syncthreads();
    sum_up(sums);
    unsigned long long before = sums[threadIdx.x] - own;
    if (before <= rank && rank < before + own) {  // one thread
      int k = 0;
      while (before + bins[first + k] <= rank) before += bins[first + k++];
      wanted->rank[t] = static_cast<std::int64_t>(rank - before);
      wanted->high[t] = wanted->high[t] << bits | static_cast<unsigned>(first + k);
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < ranks * kDigits; i += kPickThreads) counts[i] = 0;
  if (threadIdx.x != 0) return;
  int groups = 0;
  for (int t = 0; t < ranks; ++t) {
    if (t == 0 || wanted->high[t] != wanted->high[t - 1]) wanted->group_high[groups++] = wanted->high[t];
    wanted->group[t] = groups - 1;
  }
  wanted->groups = groups;
}

/// All digits are known: out[t] = the wanted element. One block.
template <class K>
__global__ void write_elements(const Wanted* wanted, int ranks, typename K::Bits* out) {
  const int t = threadIdx.x;
  if (t < ranks) out[t] = K::decode(static_cast<typename K::Bits>(wanted->high[t]));
}

}  // namespace cuprum::cuda::primitives
