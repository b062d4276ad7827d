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

/// Steps of an elimination that are applied to the rest of a matrix in one pass over it. (32 x 32 float64, 8 lanes, one
/// thread: four at a time take half the time of one, because 64 KB do not fit the nearest cache.)
constexpr int kDeep = 4;

/// a[i, j] -= a[i, k] * x(0, j) + a[i, k + 1] * x(1, j) + ..., one after the other, for kRows rows from i on and columns [first, last).
template <int kRows, int kDepth, class S, class X>
CUPRUM_FN void subtract_products(const Rows<S>& a, int i, int k, int first, int last, X&& x) {
  S factor[kRows][kDepth];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int d = 0; d < kDepth; ++d) factor[r][d] = S::load(a.at(i + r, k + d));
  }
  for (int j = first; j < last; ++j) {
    S other[kDepth];
#pragma GCC unroll 4
    for (int d = 0; d < kDepth; ++d) other[d] = x(d, j);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      S sum = S::load(a.at(i + r, j));
#pragma GCC unroll 4
      for (int d = 0; d < kDepth; ++d) sum = sum - factor[r][d] * other[d];
      sum.store(a.at(i + r, j));
    }
  }
}

/// The same for the rows [begin, end) and any depth up to kDeep; `last` is a function of the last row of a band.
template <class S, class X, class L>
CUPRUM_FN void subtract_from_rows(const Rows<S>& a, int begin, int end, int k, int depth, int first, L&& last,
                                  X&& x) {
  constexpr int kBand = S::kStep == RealLanes<typename S::Real>::kStep ? 4 : 2;  // as registers allow
  const auto with_depth = [&]<int kDepth>() {
    int i = begin;
    for (; i + kBand <= end; i += kBand)
      subtract_products<kBand, kDepth>(a, i, k, first, last(i + kBand - 1), x);
    for (; i < end; ++i) subtract_products<1, kDepth>(a, i, k, first, last(i), x);
  };
  switch (depth) {
    case 1: return with_depth.template operator()<1>();
    case 2: return with_depth.template operator()<2>();
    case 3: return with_depth.template operator()<3>();
    default: return with_depth.template operator()<kDeep>();
  }
}

template <class S>
void eliminate(const Rows<S>& a, int n, unsigned char* failed, unsigned char* odd) {
  using R = typename S::Real;
  const auto row_of = [&](int k) { return [&a, k](int d, int j) { return S::load(a.at(k + d, j)); }; };
  const auto all = [&a](int) { return a.width; };
  for (int k = 0, depth; k < n; k += depth) {
    depth = n - k < kDeep ? n - k : kDeep;
    // A few columns, in all rows below.
    for (int c = k; c < k + depth; ++c) {
      swap_pivot(a, c, n, odd);
      const S pivot = S::load(a.at(c, c));
      const Vector<R> size = pivot.size();
      for (int l = 0; l < kWidth<R>; ++l) failed[l] |= size[l] == 0;
      const Divisor<S> divisor(pivot);
      for (int i = c + 1; i < n; ++i) divisor.divide(S::load(a.at(i, c))).store(a.at(i, c));
      subtract_from_rows(
          a, c + 1, n, c, 1, c + 1, [&](int) { return k + depth; }, row_of(c));
    }
    // Their rows, then all that is below and to the right of them.
    for (int d = 1; d < depth; ++d) subtract_from_rows(a, k + d, k + d + 1, k, d, k + depth, all, row_of(k));
    subtract_from_rows(a, k + depth, n, k, depth, k + depth, all, row_of(k));
  }
  // Upwards: what stands behind the triangle becomes the solution.
  for (int end = n, depth; end > 0 && a.width > n; end -= depth) {
    depth = end < kDeep ? end : kDeep;
    for (int i = end; i-- > end - depth;) {
      if (i + 1 < end) subtract_from_rows(a, i, i + 1, i + 1, end - i - 1, n, all, row_of(i + 1));
      const Divisor<S> divisor(S::load(a.at(i, i)));
      for (int j = n; j < a.width; ++j) divisor.divide(S::load(a.at(i, j))).store(a.at(i, j));
    }
    subtract_from_rows(a, 0, end - depth, end - depth, depth, n, all, row_of(end - depth));
  }
}

template <class S>
void cholesky(const Rows<S>& a, unsigned char* failed) {
  using R = typename S::Real;
  const int n = a.width;
  const auto column_of = [&](int k) {
    return [&a, k](int d, int j) { return S::load(a.at(j, k + d)).conjugate(); };
  };
  for (int k = 0, depth; k < n; k += depth) {
    depth = n - k < kDeep ? n - k : kDeep;
    for (int c = k; c < k + depth; ++c) {
      const Vector<R> square = S::load(a.at(c, c)).real(), root = square_root<R>(square);
      for (int l = 0; l < kWidth<R>; ++l) failed[l] |= !(square[l] > 0);
      const Vector<R> inverse = 1 / root;
      S::of(root).store(a.at(c, c));
      for (int i = c + 1; i < n; ++i) S::load(a.at(i, c)).times(inverse).store(a.at(i, c));
      for (int j = c + 1; j < n; ++j) S::of(Vector<R>{}).store(a.at(c, j));
      subtract_from_rows(
          a, c + 1, n, c, 1, c + 1, [&](int) { return k + depth; }, column_of(c));
    }
    subtract_from_rows(
        a, k + depth, n, k, depth, k + depth, [](int i) { return i + 1; }, column_of(k));
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
