// What the host knows of a call of Draw, and how the rounds of a chain (chain.cuh) divide it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "backend/cuda/primitives/random/packed_state.h"
#include "core/integers.h"
#include "kernels/random/log1p.h"
#include "runtime/primitives.h"

namespace cuprum::cuda::primitives {

/// loc + scale * x, for numbers of float64.
struct Scaling {
  bool on = false;
  double loc = 0.0, scale = 1.0;

  template <class T>
  CUPRUM_ON_BOTH T operator()(T x) const {
    if constexpr (kernels::same<T, double>) {
      if (on) return loc + scale * x;
    }
    return x;
  }
};

struct DrawJob {
  const Draw& draw;
  BitKind kind;
  StateSource state;
  dtype type;
  void* out;
  std::int64_t n;
  std::uint64_t* words;  // for the state behind the numbers; null: nobody asks
  Scaling scaling;
  kernels::random::Log1pForms forms;

  double real(std::size_t i) const { return std::bit_cast<double>(draw.parameters[i]); }
  std::int64_t integer(std::size_t i) const { return static_cast<std::int64_t>(draw.parameters[i]); }
};

/// How far the rounds have come.
struct Progress {
  std::int64_t numbers;  // of the result
  std::int64_t units;    // of the stream's layout, before the next number
};

inline constexpr int kSegment = 1024;     // units; a warp's
inline constexpr int kSumThreads = 1024;  // of the block that sums the segments' counts

/// Where things lie in the scratch memory: progress, draws (if they go to memory), three numbers of 32 bits
/// and one of 64 for each segment.
struct ChainSizes {
  enum Draws : std::uint8_t { kInMemory, kInRegisters };
  int rounds, segments, per_draw;
  bool stored;

  /// As many units as n numbers need, and six standard deviations of one that varies as much as a geometric
  /// one does. A round has 128 MB of draws, or 2^28 units, of which the places are numbers of 32 bits.
  ChainSizes(std::int64_t n, double each, int per_draw, Draws draws)
      : per_draw(per_draw), stored(draws == kInMemory) {
    const double numbers = static_cast<double>(n);
    const double wanted =
        numbers * each + 6 * std::sqrt(numbers * each * (each - 0.9)) + 16 * each + per_draw * 8;
    const double most = stored ? 0x1p24 * per_draw : 0x1p28;
    rounds = static_cast<int>(std::ceil(wanted / most));
    segments = static_cast<int>(std::ceil(wanted / rounds / kSegment));
  }

  std::int64_t units() const { return std::int64_t{segments} * kSegment; }
  std::int64_t draws() const { return stored ? units() / per_draw : 0; }
  std::size_t draws_at() const { return aligned(static_cast<std::size_t>(rounds + 1) * sizeof(Progress)); }
  std::size_t entries_at() const { return aligned(draws_at() + static_cast<std::size_t>(draws()) * 8); }
  std::size_t before_at() const { return aligned(entries_at() + static_cast<std::size_t>(segments) * 12); }
  std::size_t bytes() const { return before_at() + static_cast<std::size_t>(segments) * 8; }

 private:
  static std::size_t aligned(std::size_t n) { return (n + 255) / 256 * 256; }
};

}  // namespace cuprum::cuda::primitives
