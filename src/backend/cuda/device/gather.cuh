// Leaves that are read through indices.
//
// An item has V indices, each of which names an element of the table, or one for all V, which names a row of it. What a bad index
// names is zero, and the thread that asked is told (device/fault.cuh).
#pragma once

#include "device/memory.cuh"

namespace cuprum::cuda::device {

/// The place that an index names, in bytes from that of the index 0. False: it names none.
CUPRUM_DEVICE bool find_place(const Gather& g, int64 index, int64& offset) {
  const int64 i = index < 0 ? index + g.extent : index;
  offset = i * g.step;
  return static_cast<uint64>(i) < static_cast<uint64>(g.extent);
}

CUPRUM_DEVICE void report(const Gather& g, int64 index) {
  if (atomicExch(g.claimed, 1u) == 0u) g.told->write(g.function, g.axis, g.extent, index);
}

/// The element that an index names, counted from the one at `from`.
template <class T>
CUPRUM_DEVICE T gather_one(const Gather& g, int64 index, const char* from) {
  int64 offset;
  if (find_place(g, index, offset)) return load_one<T>(from + offset);
  report(g, index);
  return T{};
}

/// V elements by an index each. A bad one is told of when all are being read, which so are under way together.
template <bool whole, int V, class Number, class T>
CUPRUM_DEVICE void gather_elements(const Gather& g, const Number* index, const char* from, int64 stride,
                                   int count, T* to) {
  bool bad = false;
  int64 wrong = 0;
#pragma unroll
  for (int v = 0; v < V; ++v) {
    to[v] = T{};
    if (!(whole ? count > 0 : v < count)) continue;
    const auto i = static_cast<int64>(index[v]);
    int64 offset;
    if (find_place(g, i, offset)) {
      to[v] = load_one<T>(from + v * stride + offset);
    } else {
      if (!bad) wrong = i;
      bad = true;
    }
  }
  if (bad) report(g, wrong);
}

/// V elements of the row that one index names. For Access::broadcast `to` is one element.
template <Access access, bool whole, int V, class Number, class T>
CUPRUM_DEVICE void gather_row(const Gather& g, const Number* index, const char* from, int64 stride, int count,
                              T* to) {
#pragma unroll
  for (int v = 0; v < (access == Access::broadcast ? 1 : V); ++v) to[v] = T{};
  if (count <= 0) return;
  const auto i = static_cast<int64>(index[0]);
  int64 offset;
  if (find_place(g, i, offset)) {
    load_elements<access, whole, V>(from + offset, stride, count, to);
  } else {
    report(g, i);
  }
}

}  // namespace cuprum::cuda::device
