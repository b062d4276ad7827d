// Folding blocks of a reduction, see reduce_loops.h for the order that these functions keep.
#pragma once

#include <type_traits>

#include "backend/cpu/reduce_loops.h"
#include "backend/cpu/simd/elements.h"
#include "backend/cpu/simd/reduce_extremes.h"
#include "backend/cpu/simd/reduce_short.h"
#include "kernels/fold_blocks.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

using kernels::finish_value;
using kernels::fold_columns;
using kernels::fold_groups;
using kernels::fold_narrow;
using kernels::groups_of;
using kernels::kMaxLanes;
using kernels::merge_fold;
using kernels::plane;
using kernels::row_of;
using kernels::wide_fold;

/// Lanes of a narrow block with one column.
template <class T>
inline constexpr int kLanes = sizeof(T) <= 4 ? 64 : 256 / sizeof(T);

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

/// A fold that adds. gcc 12 takes vectors longer than a register through memory, so sums name their registers: 1e6 float32 in the
/// third-level cache take 0.11 ms instead of 0.38 (one thread, AVX2), their variance 0.28 instead of 1.10.
struct Sum {};
template <class Fold, class T>
inline constexpr bool adds = kernels::native_float<T>&& std::is_base_of_v<Sum, Fold>;

struct AddRegisters {
  template <class T>
  CUPRUM_FN static T of_numbers(T a, T b) {
    return a + b;
  }
};

/// lane[0..lanes) added in halves.
template <int lanes, class T>
CUPRUM_FN T add_lanes(const T* lane) {
  constexpr int size = kRegisterBytes / sizeof(T), registers = lanes / size;
  Register<T> sum[registers];
  __builtin_memcpy(sum, lane, sizeof sum);
#pragma GCC unroll 4
  for (int half = registers / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (int k = 0; k < half; ++k) sum[k] = sum[k] + sum[k + half];
  }
  return fold_register<AddRegisters, T, kRegisterBytes>(sum[0]);
}

/// n elements of one column, at least as many as there are lanes.
template <class T>
CUPRUM_FN T add_column(int64 n, const T* p) {
  constexpr int lanes = kLanes<T>, size = kRegisterBytes / sizeof(T), registers = lanes / size;
  Register<T> sum[registers], x;
#pragma GCC unroll 16
  for (int k = 0; k < registers; ++k) __builtin_memcpy(&sum[k], p + k * size, sizeof x);
  int64 i = lanes;
  for (; i + lanes <= n; i += lanes) {
#pragma GCC unroll 16
    for (int k = 0; k < registers; ++k) {
      __builtin_memcpy(&x, p + i + k * size, sizeof x);
      sum[k] = sum[k] + x;
    }
  }
  alignas(64) T lane[lanes];
  __builtin_memcpy(lane, sum, sizeof lane);
  for (int64 k = 0; i + k < n; ++k) lane[k] = lane[k] + p[i + k];
  return add_lanes<lanes>(lane);
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
  if constexpr (adds<Fold, T>) return add_column(n, p);
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

// ---- the loops of a fold: the state is the folded value

template <class Fold, class T, int N>
void narrow_few(int64 pieces, const T* p, T* to) {
  for (int64 i = 0; i < pieces; ++i) to[i] = fold_few<Fold, N>(p + i * N);
}

template <class Fold, class T>
void narrow_column(int64 pieces, int64 rows, const T* p, T* to) {
  if constexpr (kernels::native_float<T>) {  // rows of points and colours: 1e6 x 3 in 0.3 ms
    switch (rows) {
      case 2: return narrow_few<Fold, T, 2>(pieces, p, to);
      case 3: return narrow_few<Fold, T, 3>(pieces, p, to);
      case 4: return narrow_few<Fold, T, 4>(pieces, p, to);
      default: break;
    }
  }
  if (fold_turned<Fold, 1>(pieces, rows, p, to)) return;
  for (int64 i = 0; i < pieces; ++i) to[i] = fold_column<Fold>(rows, p + i * rows);
}

template <class Fold, class T>
void narrow_fold(const NarrowBlocks& b) {
  const T* p = static_cast<const T*>(b.src);
  T* to = plane<T>(b.to, 0);
  if constexpr (kernels::real_number<T>) {
    if (b.cols == 1) return narrow_column<Fold>(b.pieces, b.rows, p, to);
  } else {
    if (b.cols == 1 && fold_turned<Fold, 1>(b.pieces, b.rows, p, to)) return;
  }
  if constexpr (kernels::native_float<T>) {  // complex numbers too
    if (b.cols == 2 && fold_turned<Fold, 2>(b.pieces, b.rows, p, to)) return;
  }
  fold_narrow<Fold, T>(b);
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
