// Which way an indexed move goes: every condition and threshold of the index family, and what they rest on. Whoever moves a
// threshold runs the row of its branch, and of the branch beside it, on a GPU:
//     python -m cuprum bench --rows '<row>'
//
//   way         when                                                    row of the benchmark
//   gather
//     walk      words of an array beyond the cache, many positions      take(x, index)
//     in a row  single words by one index array                         take, in cache
//     each      everything else                                         take rows; table[i, j]
//   scatter
//     at will   every position brings the same row                      a[index] = c
//     windows   words into an array beyond the cache, many positions    a[index] = v
//     winners   up to kSparse places per position                       a[index] = v, in cache
//     sorted    few positions in a large array                          a[index] = v, few
//   ufunc.at
//     few       sums at few places that many positions share            add.at, 1000 bins; add.at, 100 bins
//     walk      sums at places of an array beyond the cache             add.at, random
//     atomic    operations that atomics can do                          add.at, in cache
//     sorted    everything else, in C order                             maximum.at
//
// A gather that one kernel reads, and that would not walk, is a leaf of it (primitives/leaves.cpp): row `take, in cache, * w + b`.
//
// Times are of an H200 (benchmarks/results/h200-2026-11-15.md); 64M is 2^26. A threshold without a time was reckoned, not
// measured by itself.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cuprum::cuda::primitives {

/// What a choice depends on, of the move.
struct IndexWork {
  std::int64_t positions = 0;
  std::int64_t places = 0;
  std::int64_t step = 0;  // bytes from place to place, if it is numbered
  std::int64_t word = 0;  // bytes
  bool numbered = false;  // single words, each at the number of its place, below 2^31, times `step`
  bool in_a_row = false;  // numbered, by one index array
  bool uniform = false;   // every position brings the same row
};

/// ... and of the device.
struct IndexDevice {
  std::int64_t l2_bytes = 0;
  std::int64_t multiprocessors = 0;
  std::int64_t shared_per_block = 0;
};

// -- Walking through the array (walk.h): gathers and sums -----------------------------------------------

inline constexpr int kWalkThreads = 512;
/// Bytes of shared memory for each thread of a walk: what it has read, or will add.
inline constexpr std::int64_t kGatherSlots = 96 * 4, kSumSlots = 64 * 4;
inline constexpr std::int64_t kSector = 32;  // bytes that a miss fetches
/// Of the array, for each position that all blocks keep at a time: above, hardly any sector is met twice.
inline constexpr std::int64_t kSectorsPerPosition = 2;

/// Position after position each word is a miss: 64M reads from 256 MB took 1.77 ms, and take 1.09 walking; sums at 8M places
/// of it 0.54 and 0.44. What the cache holds needs no order.
inline bool walks(const IndexWork& work, const IndexDevice& device, std::int64_t slots) {
  if (!work.in_a_row || work.word < 4) return false;
  if (work.step <= 0 || work.step > kSector || kWalkThreads * slots > device.shared_per_block) return false;
  const std::int64_t nbytes = work.places * work.step;
  const std::int64_t kept =
      std::min(work.positions, device.multiprocessors * kWalkThreads * slots / work.word);
  return nbytes > device.l2_bytes && nbytes <= kSector * kSectorsPerPosition * kept;
}

// -- gather ---------------------------------------------------------------------------------------------

enum class GatherWay { walk, in_a_row, each };

inline GatherWay gather_way(const IndexWork& work, const IndexDevice& device) {
  if (walks(work, device, kGatherSlots)) return GatherWay::walk;
  return work.in_a_row ? GatherWay::in_a_row : GatherWay::each;
}

// -- scatter: the last position in C order wins ---------------------------------------------------------

enum class ScatterWay { at_will, windows, winners, sorted };

/// Places per position. Up to here to clear an entry for each costs less than to sort the positions; and above, most sectors
/// are written once whatever the order, so that windows gain nothing.
inline constexpr std::int64_t kSparse = 16;
inline constexpr std::int64_t kMostEntries = 0xfffffffe;  // entries have 32 bits, and 0 for none
inline constexpr std::int64_t kFewPairs = 1 << 19;        // below, six launches cost more than they save
inline constexpr std::int64_t kMostPairs = 1ll << 31;     // their numbers have 32 bits
inline constexpr std::int64_t kEntryBytes = 4;

/// 8M writes to random places of 256 MB took 1.25 ms by winners, two passes over random sectors, and take 0.43 by windows.
inline bool goes_by_windows(const IndexWork& work, const IndexDevice& device) {
  if (!work.numbered || work.positions < kFewPairs || work.positions >= kMostPairs) return false;
  const std::int64_t nbytes = work.places * (std::max(work.step, -work.step) + kEntryBytes);
  return work.places <= kSparse * work.positions && nbytes > 2 * device.l2_bytes;
}

inline ScatterWay scatter_way(const IndexWork& work, const IndexDevice& device) {
  if (work.positions == 1 || work.uniform) return ScatterWay::at_will;
  if (goes_by_windows(work, device)) return ScatterWay::windows;
  const bool winners = work.places <= kSparse * work.positions && work.positions <= kMostEntries;
  return winners ? ScatterWay::winners : ScatterWay::sorted;
}

// -- ufunc.at -------------------------------------------------------------------------------------------

enum class FoldWay { few, walk, atomic, sorted };

inline constexpr int kFewPlaces = 4096;  // a sum of 8 bytes for each is 32 KB of shared memory
/// Positions per place, so that clearing and adding up the sums is little of it.
inline constexpr std::int64_t kFewShare = 64;
/// Up to here additions of floats, by compare-and-swap, get in each other's way: a block keeps kCopies of the sums.
inline constexpr std::int64_t kCopiedPlaces = 256;
inline constexpr unsigned kCopies = 8;
inline constexpr std::int64_t kMostCounted = 0xffffffff;  // counts have 32 bits

/// `sums`: adds or subtracts; `atomic`: atomics can do it in memory. 64M sums at 1000 places take 0.20 ms in shared memory;
/// CuPy, by atomics in memory, takes 3.2 to 6.5.
inline FoldWay fold_way(const IndexWork& work, const IndexDevice& device, bool sums, bool atomic) {
  if (!atomic) return FoldWay::sorted;
  const bool few = work.numbered && work.places <= kFewPlaces && work.positions >= kFewShare * work.places;
  if (sums && few) return FoldWay::few;
  return sums && walks(work, device, kSumSlots) ? FoldWay::walk : FoldWay::atomic;
}

/// Sums that a block keeps for each place.
inline unsigned copies_of_sums(std::int64_t places, bool floats) {
  return floats && places <= kCopiedPlaces ? kCopies : 1;
}

}  // namespace cuprum::cuda::primitives
