#include "backend/cpu/simd/small_matrix.h"

#include "backend/cpu/simd/small_lanes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

/// Divides by a pivot through its reciprocal. That of a tiny one overflows though quotients need not: both sides are scaled.
template <class S>
struct Divisor {
  using R = typename S::Real;
  static constexpr R kTiny = sizeof(R) == 4 ? R(1.1754944e-38f) : R(2.2250738585072014e-308);

  explicit Divisor(S pivot) {
    const Mask<R> tiny = pivot.size() < kTiny;
    scale = tiny ? Vector<R>{} + 1 / kTiny : Vector<R>{} + 1;
    inverse = pivot.times(scale).reciprocal();
  }
  CUPRUM_FN S divide(S x) const { return x.times(scale) * inverse; }

  Vector<R> scale;
  S inverse;
};

/// Rows of elements of all lanes.
template <class S>
struct Rows {
  using R = typename S::Real;
  R* data;
  int width;

  CUPRUM_FN R* at(int i, int j) const { return data + (static_cast<int64>(i) * width + j) * S::kStep; }
};

/// In each lane swaps row k with the one that has the largest element of column k from there on. `odd` changes where it moved.
template <class S>
void swap_pivot(const Rows<S>& rows, int k, int n, unsigned char* odd) {
  using R = typename S::Real;
  using M = Mask<R>;
  Vector<R> best = S::load(rows.at(k, k)).size();
  M row = M{} + k;
  for (int i = k + 1; i < n; ++i) {
    const Vector<R> size = S::load(rows.at(i, k)).size();
    const M greater = size > best;
    best = greater ? size : best;
    row = greater ? M{} + i : row;
  }
  unsigned used = 0;
  for (int l = 0; l < kWidth<R>; ++l) {
    used |= 1u << row[l];
    odd[l] ^= row[l] != k;
  }
  for (used &= ~(1u << k); used != 0; used &= used - 1) {
    const int i = __builtin_ctz(used);
    const M here = row == i;
    for (int j = 0; j < rows.width; ++j) {
      const S a = S::load(rows.at(k, j)), b = S::load(rows.at(i, j));
      choose<R>(here, b, a).store(rows.at(k, j));
      choose<R>(here, a, b).store(rows.at(i, j));
    }
  }
}

/// row i -= factor * row k for kCount rows from i on, in columns [first, width).
template <int kCount, class S>
CUPRUM_FN void subtract_row(const Rows<S>& rows, const S* factor, int i, int k, int first) {
  for (int j = first; j < rows.width; ++j) {
    const S above = S::load(rows.at(k, j));
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r)
      (S::load(rows.at(i + r, j)) - factor[r] * above).store(rows.at(i + r, j));
  }
}

/// The rows [begin, end) less their multiples of row k: factor(i) of it, in columns [first, width).
template <class S, class F>
CUPRUM_FN void subtract_rows(const Rows<S>& rows, int begin, int end, int k, int first, F&& factor) {
  int i = begin;
  for (; i + 4 <= end; i += 4) {
    const S f[] = {factor(i), factor(i + 1), factor(i + 2), factor(i + 3)};
    subtract_row<4>(rows, f, i, k, first);
  }
  for (; i < end; ++i) {
    const S f[] = {factor(i)};
    subtract_row<1>(rows, f, i, k, first);
  }
}

template <class S>
void eliminate(const Rows<S>& rows, int n, unsigned char* failed, unsigned char* odd) {
  using R = typename S::Real;
  for (int k = 0; k < n; ++k) {
    swap_pivot(rows, k, n, odd);
    const S pivot = S::load(rows.at(k, k));
    const Vector<R> size = pivot.size();
    for (int l = 0; l < kWidth<R>; ++l) failed[l] |= size[l] == 0;
    const Divisor<S> divisor(pivot);
    subtract_rows(rows, k + 1, n, k, k + 1, [&](int i) { return divisor.divide(S::load(rows.at(i, k))); });
  }
  // Upwards: what stands behind the triangle becomes the solution.
  for (int k = n; k-- > 0 && rows.width > n;) {
    const Divisor<S> divisor(S::load(rows.at(k, k)));
    for (int j = n; j < rows.width; ++j) divisor.divide(S::load(rows.at(k, j))).store(rows.at(k, j));
    subtract_rows(rows, 0, k, k, n, [&](int i) { return S::load(rows.at(i, k)); });
  }
}

/// Row by row: each element less the products of what stands before it in its row and in that of its column.
template <class S>
void cholesky(const Rows<S>& rows, unsigned char* failed) {
  using R = typename S::Real;
  const int n = rows.width;
  for (int j = 0; j < n; ++j) {
    Vector<R> rest = S::load(rows.at(j, j)).real();
    for (int k = 0; k < j; ++k) rest -= S::load(rows.at(j, k)).squared();
    for (int l = 0; l < kWidth<R>; ++l) failed[l] |= !(rest[l] > 0);
    const Vector<R> root = square_root<R>(rest), inverse = 1 / root;
    S::of(root).store(rows.at(j, j));
    int i = j + 1;
    const auto column = [&]<int kCount>() {
      S sums[kCount];
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r) sums[r] = S::load(rows.at(i + r, j));
      for (int k = 0; k < j; ++k) {
        const S factor = S::load(rows.at(j, k)).conjugate();
#pragma GCC unroll 4
        for (int r = 0; r < kCount; ++r) sums[r] = sums[r] - S::load(rows.at(i + r, k)) * factor;
      }
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r) sums[r].times(inverse).store(rows.at(i + r, j));
      i += kCount;
    };
    while (i + 4 <= n) column.template operator()<4>();
    while (i < n) column.template operator()<1>();
    for (int k = j + 1; k < n; ++k) S::of(Vector<R>{}).store(rows.at(j, k));
  }
}

}  // namespace

void small_eliminate(dtype type, int n, int width, void* rows, unsigned char* failed, unsigned char* odd) {
  each_register(type, rows, [&]<class S>(typename S::Real* data, int first) {
    eliminate(Rows<S>{data, width}, n, failed + first, odd + first);
  });
}

void small_cholesky(dtype type, int n, void* rows, unsigned char* failed) {
  each_register(type, rows, [&]<class S>(typename S::Real* data, int first) {
    cholesky(Rows<S>{data, n}, failed + first);
  });
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
