// The loops of a program's own fold, Fold()(a, b) over values of type T, for a reduction on the host.
#pragma once

#include "kernels/user/words.h"
// behind it:
#include "kernels/fold_blocks.h"

namespace cuprum::kernels {

/// p[0..n) folded in halves, as columns of a block are: i with i + h, where h is the largest power of two below n.
template <class Fold, class T>
inline T fold_few(long long n, const T* p) {
  switch (n) {
    case 1: return p[0];
    case 2: return Fold()(p[0], p[1]);
    case 3: return Fold()(Fold()(p[0], p[2]), p[1]);
    case 4: return Fold()(Fold()(p[0], p[2]), Fold()(p[1], p[3]));
    default: break;
  }
  T lane[16];
  long long half = 4;
  while (2 * half < n) half *= 2;
  for (long long i = 0; i < half; ++i) lane[i] = i + half < n ? Fold()(p[i], p[i + half]) : p[i];
  while (half /= 2) {
    for (long long i = 0; i < half; ++i) lane[i] = Fold()(lane[i], lane[i + half]);
  }
  return lane[0];
}

/// Short rows of an array are many: a loop over lanes would cost more than their elements.
template <class Fold, class T>
void fold_any(const NarrowBlocks& b) {
  if (b.cols != 1 || b.rows > 16) return fold_narrow<Fold, T>(b);
  const T* p = static_cast<const T*>(b.src);
  T* to = plane<T>(b.to, 0);
  for (long long i = 0; i < b.pieces; ++i) to[i] = fold_few<Fold>(b.rows, p + i * b.rows);
}

template <class Fold, class T>
constexpr FoldLoops fold_loops() {
  return {fold_any<Fold, T>, wide_fold<Fold, T>, merge_fold<Fold, T>, finish_value<T>};
}

}  // namespace cuprum::kernels
