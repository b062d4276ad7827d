// Folding blocks of a reduction, see reduce_loops.h for the order that these functions keep.
#pragma once

#include "backend/cpu/reduce_loops.h"
#include "backend/cpu/simd/elements.h"
#include "backend/cpu/simd/reduce_extremes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

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

/// Lanes of a narrow block with one column.
template <class T>
inline constexpr int kLanes = sizeof(T) <= 4 ? 64 : 256 / sizeof(T);
inline constexpr int kMaxLanes = 128;  // of a narrow block with any number of columns

// ---- one column

/// p[0..N) folded in halves: i with i + H, where H is the largest power of two below N.
template <class Fold, int N, class T>
CUPRUM_FN T fold_few(const T* p) {
  if constexpr (N == 1) {
    return p[0];
  } else {
    constexpr int H = N <= 2 ? 1 : 2;
    T lane[H];
#pragma GCC unroll 2
    for (int i = 0; i < H; ++i) lane[i] = i + H < N ? Fold()(p[i], p[i + H]) : p[i];
    return fold_few<Fold, H>(static_cast<const T*>(lane));
  }
}

/// lane[0..2 H) folded in halves; at least 8 lanes are readable.
template <class Fold, int H, class T>
CUPRUM_FN T fold_lanes(T* lane) {
  if constexpr (H == 0) {
    return lane[0];
  } else if constexpr (extreme_fold<Fold, T>) {
    constexpr int width = H < 4 ? 4 : H > 16 ? 16 : H;
    typedef T Lanes __attribute__((vector_size(width * sizeof(T))));
    for (int i = 0; i < H; i += width) {
      Lanes a, b;
      __builtin_memcpy(&a, lane + i, sizeof a);
      __builtin_memcpy(&b, lane + i + H, sizeof b);
      a = Fold()(a, b);
      __builtin_memcpy(lane + i, &a, sizeof a);
    }
    return fold_lanes<Fold, H / 2>(lane);
  } else {
    CUPRUM_VECTORIZE
    for (int i = 0; i < H; ++i) lane[i] = Fold()(lane[i], lane[i + H]);
    return fold_lanes<Fold, H / 2>(lane);
  }
}

/// 64 bytes of lanes, as a type that compilers keep in vector registers.
template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(64)));
};
template <class T>
using Vector = typename VectorOf<T>::type;
template <class T>
inline constexpr int kVectorSize = 64 / sizeof(T);

template <class T>
CUPRUM_FN void load_vector(Vector<T>& to, const T* p) {
  __builtin_memcpy(&to, p, sizeof to);
}

/// a = Fold(a, p[0..)), lane by lane. Sums become vector code from their scalar meaning, and the arrays vanish. gcc 12 does
/// not see through the selections of a maximum (a third of the bus): those take whole vectors.
template <class Fold, class T>
CUPRUM_FN void fold_vector(Vector<T>& a, const T* p) {
  if constexpr (extreme_fold<Fold, T>) {
    Vector<T> b;
    load_vector(b, p);
    a = Fold()(a, b);
    return;
  }
  T lane[kVectorSize<T>];
  __builtin_memcpy(lane, &a, sizeof lane);
  for (int i = 0; i < kVectorSize<T>; ++i) lane[i] = Fold()(lane[i], p[i]);
  __builtin_memcpy(&a, lane, sizeof lane);
}

/// n elements of one column, fewer than there are lanes.
template <class Fold, class T>
T fold_short_column(int64 n, const T* p) {
  T lane[kLanes<T>];
  int64 half = 1;
  while (2 * half < n) half *= 2;
  for (int64 i = 0; i < half; ++i) lane[i] = i + half < n ? Fold()(p[i], p[i + half]) : p[i];
  for (half /= 2; half > 0; half /= 2) {
    for (int64 i = 0; i < half; ++i) lane[i] = Fold()(lane[i], lane[i + half]);
  }
  return lane[0];
}

/// n elements of one column.
template <class Fold, class T>
CUPRUM_FN T fold_column(int64 n, const T* p) {
  constexpr int lanes = kLanes<T>, size = kVectorSize<T>, vectors = lanes / size;
  if (n < lanes) return n == 1 ? p[0] : fold_short_column<Fold>(n, p);
  if constexpr (extreme_fold<Fold, T>) {
    if (T result; fold_numbers<Fold, lanes>(n, p, &result)) return result;
  }
  Vector<T> acc[vectors];
#pragma GCC unroll 4
  for (int k = 0; k < vectors; ++k) load_vector(acc[k], p + k * size);
  int64 i = lanes;
  for (; i + lanes <= n; i += lanes) {
#pragma GCC unroll 4
    for (int k = 0; k < vectors; ++k) fold_vector<Fold>(acc[k], p + i + k * size);
  }
  alignas(64) T lane[lanes];
  __builtin_memcpy(lane, acc, sizeof lane);
  for (int64 k = 0; i + k < n; ++k) lane[k] = Fold()(lane[k], p[i + k]);
  return fold_lanes<Fold, lanes / 2>(lane);
}

// ---- several columns

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

// ---- the loops of a fold: the state is the folded value

template <class Fold, class T, int N>
void narrow_few(int64 pieces, const T* p, T* to) {
  for (int64 i = 0; i < pieces; ++i) to[i] = fold_few<Fold, N>(p + i * N);
}

/// Columns of H < rows <= 2 H elements. Each is read as two vectors of H lanes; what the second holds of the next column
/// is not used. The last columns, where it would leave the memory, are left to the caller: returns how many were done.
template <class Fold, int H, class T>
int64 narrow_short(int64 pieces, int64 rows, const T* p, T* to) {
  const int64 behind = pieces * rows - 2 * H;  // where the last column begins that can be read so
  const int64 safe = behind < 0 ? 0 : behind / rows + 1;
  for (int64 i = 0; i < safe; ++i, p += rows) {
    T lane[H < 8 ? 8 : H] = {};
    for (int k = 0; k < H; ++k) {
      const T both = Fold()(p[k], p[k + H]);
      lane[k] = k < static_cast<int>(rows) - H ? both : p[k];
    }
    to[i] = fold_lanes<Fold, H / 2>(lane);
  }
  return safe;
}

template <class Fold, class T>
void narrow_column(int64 pieces, int64 rows, const T* p, T* to) {
  int64 i = 0;
  if constexpr (kernels::native_float<T>) {  // rows of points and colours: 1e6 x 3 in 0.3 ms
    switch (rows) {
      case 2: return narrow_few<Fold, T, 2>(pieces, p, to);
      case 3: return narrow_few<Fold, T, 3>(pieces, p, to);
      case 4: return narrow_few<Fold, T, 4>(pieces, p, to);
      default: break;
    }
    if (rows > 4 && rows <= 8) i = narrow_short<Fold, 4>(pieces, rows, p, to);
    if (rows > 8 && rows <= 16) i = narrow_short<Fold, 8>(pieces, rows, p, to);
    if (rows > 16 && rows <= 32) i = narrow_short<Fold, 16>(pieces, rows, p, to);
    if (rows > 32 && rows < kLanes<T>) i = narrow_short<Fold, 32>(pieces, rows, p, to);
  }
  for (; i < pieces; ++i) to[i] = fold_column<Fold>(rows, p + i * rows);
}

template <class Fold, class T>
void narrow_fold(const NarrowBlocks& b) {
  const T* p = static_cast<const T*>(b.src);
  T* to = plane<T>(b.to, 0);
  if constexpr (kernels::real_number<T>) {
    if (b.cols == 1) return narrow_column<Fold>(b.pieces, b.rows, p, to);
  }
  const int64 groups = groups_of<T>(b.groups);
  for (int64 i = 0; i < b.pieces; ++i) {
    fold_columns<Fold>(b.rows, b.cols, groups, p + i * b.rows * b.cols, to + i * b.cols);
  }
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

template <class Fold, class T>
ReduceLoops fold_loops(dtype result, bool exact) {
  ReduceLoops loops;
  loops.planes = loops.wide_planes = 1;
  loops.state_bytes[0] = sizeof(T);
  loops.exact = exact;
  loops.result = result;
  loops.narrow = narrow_fold<Fold, T>;
  loops.wide = wide_fold<Fold, T>;
  loops.merge = merge_fold<Fold, T>;
  loops.finish = finish_value<T>;
  return loops;
}

// ---- complex operands as twice as many columns of reals

inline NarrowBlocks as_reals(NarrowBlocks b) {
  b.cols *= 2;
  b.groups = b.groups < 2 ? 1 : b.groups / 2;
  b.to.first *= 2;
  return b;
}
inline WideRows as_reals(WideRows w) {
  w.cols *= 2;
  w.to.first *= 2;
  return w;
}
inline States as_reals(States states) {
  states.first *= 2;
  return states;
}

// One function per file reduce_<family>.cpp.
void add_fold_reductions(ReduceTable& table);
void add_arg_reductions(ReduceTable& table);
void add_variance_reductions(ReduceTable& table);

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
