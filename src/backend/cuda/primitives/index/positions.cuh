// Positions that name single words of the array, as kernels for large moves read them: a place is a number below 2^31,
// which says where the word lies by one stride. In a row: one index array, read by one stride, and a line read by another;
// that saves the arithmetic of layouts, which such kernels would spend most of their instructions on.
#pragma once

#include "backend/cuda/primitives/index/index_strategy.h"
#include "backend/cuda/primitives/index/indices.h"

namespace cuprum::cuda::primitives {

inline constexpr unsigned kNowhere = ~0u;  // the place of a bad index
inline constexpr std::int64_t kMostPlaces = 1ll << 31;

/// Does a place lie at its number times one stride?
inline bool is_regular(const Indices& indices) {
  for (int k = 0; k + 1 < indices.count; ++k) {
    if (indices.index[k].stride != indices.index[k + 1].stride * indices.index[k + 1].extent) return false;
  }
  return true;
}

/// Bytes from place to place of a regular array.
inline std::int64_t step_of(const Indices& indices) { return indices.index[indices.count - 1].stride; }

/// Can positions of this move be read as those below?
inline bool has_places(const Move& move) {
  return move.row.size == 1 && move.places <= kMostPlaces && is_regular(move.indices);
}
inline bool is_in_a_row(const Move& move) { return move.indices.count == 1 && move.positions.ndim == 1; }

/// What the choice of a way depends on.
inline IndexWork work_of(const IndexedMove& plan) {
  const Move& move = plan.move();
  const bool numbered = has_places(move);
  return {move.positions.size,
          move.places,
          numbered ? step_of(move.indices) : 0,
          static_cast<std::int64_t>(move.word),
          numbered,
          numbered && is_in_a_row(move),
          plan.is_uniform()};
}
inline IndexDevice device_of(const DeviceFacts& context) {
  return {static_cast<std::int64_t>(context.l2_bytes), context.multiprocessors,
          static_cast<std::int64_t>(context.shared_per_block)};
}

#if defined(__CUDACC__)

struct PositionsInARow {
  Indices indices;
  std::int64_t size, index_step, line_step;
  char* line;

  explicit PositionsInARow(const Move& move)
      : indices(move.indices),
        size(move.positions.size),
        index_step(move.positions.strides[0][0]),
        line_step(move.positions.strides[kIndexArrays][0]),
        line(move.line) {}

  static __device__ unsigned nowhere() { return kNowhere; }
  __device__ std::int64_t given(std::int64_t position) const {
    return __ldcs(reinterpret_cast<const long long*>(indices.index[0].data + position * index_step));
  }
  /// Says nothing of bad indices.
  __device__ unsigned find(std::int64_t position) const {
    const std::int64_t index = given(position), extent = indices.index[0].extent;
    const std::int64_t i = index < 0 ? index + extent : index;
    return static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(extent) ? static_cast<unsigned>(i)
                                                                              : kNowhere;
  }
  __device__ unsigned place(std::int64_t position) const {
    const unsigned found = find(position);
    if (found == kNowhere) indices.report(0, given(position));
    return found;
  }
  __device__ char* of_line(std::int64_t position) const { return line + position * line_step; }
};

struct PositionsAnywhere {
  Indices indices;
  std::int64_t size;
  Layout<kIndexArrays + 1> positions;
  char* line;

  explicit PositionsAnywhere(const Move& move)
      : indices(move.indices), size(move.positions.size), positions(move.positions), line(move.line) {}

  __device__ unsigned place(std::int64_t position) const {
    std::int64_t at[kIndexArrays + 1];
    positions.offsets(position, at);
    const std::int64_t number = indices.locate(at).number;
    return number < 0 ? kNowhere : static_cast<unsigned>(number);
  }
  __device__ char* of_line(std::int64_t position) const {
    std::int64_t at[kIndexArrays + 1];
    positions.offsets(position, at);
    return line + at[kIndexArrays];
  }
};

/// Calls f with the move's positions.
template <class F>
void with_positions(const Move& move, F&& f) {
  is_in_a_row(move) ? f(PositionsInARow(move)) : f(PositionsAnywhere(move));
}

#endif

}  // namespace cuprum::cuda::primitives
