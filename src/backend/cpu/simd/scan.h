// The inner loops of cumulative folds.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

/// A run that is folded on its own; several are walked side by side, because each addition waits for the one
/// before.
struct ScanLane {
  const unsigned char* in;
  unsigned char* out;
};

inline constexpr int kScanLanes = 4;
inline constexpr int kScanWidth = 512;  // columns that are folded side by side

/// Elements of one chunk of an inexact sum: the additions of a row depend on this number and its length
/// alone.
inline constexpr int64_t kScanChunk = 4096;

/// How a row may be cut.
enum class ScanKind {
  exact,       // anywhere: the operation is associative
  chunked,     // after every kScanChunk elements: out = (sum of the chunks before) + (sum within the chunk)
  sequential,  // not at all
};

/// Loops of one operation and dtype T. Steps are in bytes; `fresh`: the fold begins here, the state is only
/// written.
struct ScanLoops {
  ScanKind kind;
  /// totals[k] = fold of the n elements of lane k. n >= 1. Null for sequential ones.
  void (*total)(int lanes, const ScanLane* lane, int64_t n, int64_t in_step, void* totals);
  /// out[i] = state = state op in[i] in each lane.
  void (*carry)(int lanes, const ScanLane* lane, int64_t n, int64_t in_step, int64_t out_step, void* state,
                bool fresh);
  /// Chunked only: out[i] = start op (in[0] op ... op in[i]) in each lane.
  void (*offset)(int lanes, const ScanLane* lane, int64_t n, int64_t in_step, int64_t out_step,
                 const void* start);
  /// Chunked only: has the fold within a chunk overflowed, where the fold from the beginning of the row might
  /// not have? Such a chunk is folded by `carry`.
  bool (*overflowed)(const void* start, const void* total);
  /// The same for `width` <= kScanWidth neighbouring columns: state has `width` elements. A chunked one takes
  /// n <= kScanChunk; returns whether a column has overflowed: `state` is then as before and the columns are
  /// done one by one.
  bool (*columns)(const unsigned char* in, unsigned char* out, int64_t n, int64_t in_step, int64_t out_step,
                  int64_t width, void* state, bool fresh);
};

/// op: 0 sum, 1 prod, 2 min, 3 max.
CUPRUM_DECLARE_FOR_LEVELS(const ScanLoops& scan_loops(int op, dtype type))

}  // namespace cuprum
