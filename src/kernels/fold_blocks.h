// The loops of a fold, Fold()(a, b), over blocks of a reduction's operand: see backend/cpu/reduce_loops.h for the order that they
// keep. The library has loops beside these for numbers in one column, and texts of a program's own reductions are instances of these
// (user_fold.h).
#pragma once

#include "kernels/reduce_blocks.h"
#include "kernels/types.h"

#if !defined(CUPRUM_VECTORIZE)  // simd/elements.h has it for the library's own loops
#define CUPRUM_VECTORIZE _Pragma("GCC ivdep")
#endif

CUPRUM_KERNELS_BEGIN

template <class T>
CUPRUM_FN T* plane(const States& states, int p) {
  return reinterpret_cast<T*>(states.data + p * states.stride) + states.first;
}

/// Groups of a narrow block of T, given those of 4-byte elements: a wide row has the same number of bytes.
template <class T>
CUPRUM_FN int64 groups_of(int64 groups) {
  if constexpr (sizeof(T) <= 4) {
    return groups;
  } else {
    const int64 fewer = groups * 4 / static_cast<int64>(sizeof(T));
    return fewer < 1 ? 1 : fewer;
  }
}

inline constexpr int kMaxLanes = 128;  // of a narrow block with any number of columns

/// Folds the groups of cols lanes in halves; `present` lanes have values. lane[0..cols) is the result.
template <class Fold, class T>
void fold_groups(int64 groups, int64 cols, int64 present, T* lane) {
  for (int64 half = groups / 2; half > 0; half /= 2) {
    const int64 width = half * cols;
    const int64 end = present - width;
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < end; ++i) lane[i] = Fold()(lane[i], lane[i + width]);
    if (end > 0) present = width;
  }
}

template <class Fold, class T>
void fold_columns(int64 rows, int64 cols, int64 groups, const T* p, T* to) {
  const int64 n = rows * cols, width = groups * cols;
  alignas(64) T lane[kMaxLanes];
  const int64 present = n < width ? n : width;
  for (int64 i = 0; i < present; ++i) lane[i] = p[i];
  for (int64 at = width; at < n; at += width) {
    const int64 end = n - at < width ? n - at : width;
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < end; ++i) lane[i] = Fold()(lane[i], p[at + i]);
  }
  fold_groups<Fold>(groups, cols, present, lane);
  for (int64 c = 0; c < cols; ++c) to[c] = lane[c];
}

template <class Fold, class T>
void fold_narrow(const NarrowBlocks& b) {
  const T* p = static_cast<const T*>(b.src);
  T* to = plane<T>(b.to, 0);
  int64 groups = groups_of<T>(b.groups);
  while (groups / 2 >= b.rows) groups /= 2;  // groups without a row change nothing
  for (int64 i = 0; i < b.pieces; ++i)
    fold_columns<Fold>(b.rows, b.cols, groups, p + i * b.rows * b.cols, to + i * b.cols);
}

template <class T>
CUPRUM_FN const T* row_of(const WideRows& w, int64 r) {
  return reinterpret_cast<const T*>(static_cast<const char*>(w.src) + r * w.row_stride);
}

template <class Fold, class T>
void wide_fold(const WideRows& w) {
  T* acc = plane<T>(w.to, 0);
  int64 r = 0;
  if (w.first) __builtin_memcpy(acc, row_of<T>(w, r++), static_cast<unsigned long>(w.cols) * sizeof(T));
  for (; r + 4 <= w.rows; r += 4) {
    const T *a = row_of<T>(w, r), *b = row_of<T>(w, r + 1), *c = row_of<T>(w, r + 2),
            *d = row_of<T>(w, r + 3);
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < w.cols; ++i)
      acc[i] = Fold()(Fold()(Fold()(Fold()(acc[i], a[i]), b[i]), c[i]), d[i]);
  }
  for (; r < w.rows; ++r) {
    const T* a = row_of<T>(w, r);
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < w.cols; ++i) acc[i] = Fold()(acc[i], a[i]);
  }
}

template <class Fold, class T>
void merge_fold(int64 n, const States& to, int64, const States& from, int64) {
  T* a = plane<T>(to, 0);
  const T* b = plane<T>(from, 0);
  CUPRUM_VECTORIZE
  for (int64 i = 0; i < n; ++i) a[i] = Fold()(a[i], b[i]);
}

template <class T>
void finish_value(int64 n, const States& states, int64, double, void* to) {
  __builtin_memcpy(to, plane<T>(states, 0), static_cast<unsigned long>(n) * sizeof(T));
}

CUPRUM_KERNELS_END
