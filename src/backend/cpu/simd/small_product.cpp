#include "backend/cpu/simd/small_product.h"

#include "backend/cpu/simd/small_lanes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

constexpr int kWideVectors = 4;  // of the columns that are computed at a time
constexpr int kMostCopied = kSmallProduct * kWideVectors * kRegisterBytes / 4;  // numbers of a panel

template <class R>
CUPRUM_FN R number(const unsigned char* p) {
  R x;
  __builtin_memcpy(&x, p, sizeof(x));
  return x;
}

/// Of `rows` rows of `length` elements that lie `step` bytes apart, those from which on there are `wide` elements up to the end of the
/// last row: whole registers of them may be touched.
template <class R>
CUPRUM_FN int64_t whole_rows(int64_t rows, int64_t step, int64_t length, int64_t wide) {
  if (wide <= length) return rows;
  if (step < length * static_cast<int64_t>(sizeof(R))) return 0;
  const int64_t short_of = ((wide - length) * static_cast<int64_t>(sizeof(R)) + step - 1) / step;
  return rows > short_of ? rows - short_of : 0;
}

/// A panel of the right operand: whole registers, the last rows of which are a copy where they would reach past the matrix.
template <class R>
struct Panel {
  const unsigned char* data;
  int64_t step, depth, whole;
  R copy[kMostCopied];  // depth - whole rows
};

/// The result's panel: `columns` of each row are written, or whole registers of rows before `whole`, which later rows write over.
struct Target {
  unsigned char* data;
  int64_t step, whole;
  int columns;
};

/// kRows rows of the result: as many sums side by side as there are vectors, each in the order of k.
template <class R, int kRows, int kVectors>
void multiply_rows(const unsigned char* a, int64_t a_row, int64_t a_col, const Panel<R>& b, const Target& out,
                   int64_t first) {
  using V = Vector<R>;
  V sums[kRows][kVectors] = {};
  const auto add = [&](const void* from) {
    V right[kVectors];
    __builtin_memcpy(right, from, sizeof(right));
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const R left = number<R>(a + r * a_row);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] += left * right[v];
    }
    a += a_col;
  };
  for (int64_t l = 0; l < b.whole; ++l) add(b.data + l * b.step);
  for (int64_t l = b.whole; l < b.depth; ++l) add(b.copy + (l - b.whole) * kVectors * kWidth<R>);
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    unsigned char* const to = out.data + (first + r) * out.step;
    if (first + r < out.whole)
      __builtin_memcpy(to, sums[r], sizeof(sums[r]));
    else
      __builtin_memcpy(to, sums[r], static_cast<size_t>(out.columns) * sizeof(R));
  }
}

template <class R, int kVectors>
void multiply_panel(int64_t m, MatrixRef a, const Panel<R>& b, const Target& out) {
  constexpr int kTall = kVectors == 1 ? 8 : 4;
  int64_t i = 0;
  const auto rows = [&]<int kRows>() {
    multiply_rows<R, kRows, kVectors>(a.data + i * a.row, a.row, a.col, b, out, i);
    i += kRows;
  };
  while (i + kTall <= m) rows.template operator()<kTall>();
  if (kTall > 4 && i + 4 <= m) rows.template operator()<4>();
  while (i < m) rows.template operator()<1>();
}

template <class R>
void product(int64_t m, int64_t n, int64_t k, MatrixRef a, MatrixRef b, MatrixRef out) {
  constexpr int64_t kSize = sizeof(R), kMost = kWideVectors * kWidth<R>;
  Panel<R> panel;
  for (int64_t j = 0; j < n; j += kMost) {
    const int columns = static_cast<int>(n - j < kMost ? n - j : kMost);
    const int vectors = (columns + kWidth<R> - 1) / kWidth<R>, wide = vectors * kWidth<R>;
    panel.data = b.data + j * kSize;
    panel.step = b.row;
    panel.depth = k;
    panel.whole = whole_rows<R>(k, b.row, n - j, wide);
    for (int64_t l = panel.whole; l < k; ++l) {
      R* const to = panel.copy + (l - panel.whole) * wide;
      for (int c = 0; c < wide; ++c)
        to[c] = c < columns ? number<R>(panel.data + l * b.row + c * kSize) : R();
    }
    const bool dense = out.row == n * kSize && n <= kMost;
    const Target to{out.data + j * kSize, out.row,
                    columns == wide ? m
                    : dense         ? whole_rows<R>(m, out.row, n, wide)
                                    : 0,
                    columns};
    switch (vectors) {
      case 1: multiply_panel<R, 1>(m, a, panel, to); break;
      case 2: multiply_panel<R, 2>(m, a, panel, to); break;
      case 3: multiply_panel<R, 3>(m, a, panel, to); break;
      default: multiply_panel<R, 4>(m, a, panel, to);
    }
  }
}

}  // namespace

void small_product(dtype type, int64_t m, int64_t n, int64_t k, MatrixRef a, MatrixRef b, MatrixRef out) {
  type == dtype::float64 ? product<double>(m, n, k, a, b, out) : product<float>(m, n, k, a, b, out);
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
