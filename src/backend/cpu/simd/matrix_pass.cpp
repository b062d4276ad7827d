#include "backend/cpu/simd/matrix_pass.h"

#include "backend/cpu/simd/fused_lanes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

#if defined(__AVX512F__)

namespace {

constexpr int kRows = 8;  // at a time: the sums are read and written once for all of them

/// kCount rows from row `first` on. `right` is whole registers, two at a time; the last two of a row may have fewer lanes.
template <class R, int kCount, bool kRight, bool kLeft>
struct Rows {
  using L = Lanes<R>;
  using V = typename L::V;

  const unsigned char* rows[kCount];
  V left[kCount];
  V dots[kCount][2];

  CUPRUM_FN Rows(const MatrixPass& p, int64_t first) {
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) {
      rows[i] = p.matrix + (first + i) * p.row;
      dots[i][0] = dots[i][1] = L::all(0);
      if (!kLeft) continue;
      R number;
      __builtin_memcpy(&number, p.left + (first + i) * static_cast<int64_t>(sizeof(R)), sizeof(R));
      left[i] = L::all(number);
    }
  }

  /// Register `half` of the pair at `at` bytes.
  template <bool kWhole>
  CUPRUM_FN void step(const MatrixPass& p, int64_t at, int half, bool adds, typename L::Some some) {
    V right, sum;
    if (kRight) right = kWhole ? L::load(p.right + at) : L::load(some, p.right + at);
    if (kLeft) {
      sum = !adds ? L::all(0) : kWhole ? L::load(p.sums + at) : L::load(some, p.sums + at);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) {
      const V x = kWhole ? L::load(rows[i] + at) : L::load(some, rows[i] + at);
      if (kRight) dots[i][half] = L::fused(x, right, dots[i][half]);
      if (kLeft) sum = L::fused(left[i], x, sum);
    }
    if (kLeft) kWhole ? L::store(p.sums + at, sum) : L::store(some, p.sums + at, sum);
  }

  CUPRUM_FN void store_dots(const MatrixPass& p, int64_t first) const {
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) {
      const R dot = L::sum(L::add(dots[i][0], dots[i][1]));
      __builtin_memcpy(p.dots + (first + i) * p.dots_step, &dot, sizeof(R));
    }
  }
};

template <class R, int kCount, bool kRight, bool kLeft>
void walk(const MatrixPass& p, int64_t first) {
  using L = Lanes<R>;
  Rows<R, kCount, kRight, kLeft> rows(p, first);
  const bool adds = p.adds || first > 0;
  const auto all = static_cast<typename L::Some>(-1);
  const int64_t whole = p.columns / L::kWidth;
  int64_t v = 0;
  for (; v + 2 <= whole; v += 2) {
    rows.template step<true>(p, v * kRegister, 0, adds, all);
    rows.template step<true>(p, (v + 1) * kRegister, 1, adds, all);
  }
  if (v < whole) rows.template step<true>(p, v * kRegister, 0, adds, all);
  if (const int rest = static_cast<int>(p.columns % L::kWidth)) {
    const auto some = static_cast<typename L::Some>((1u << rest) - 1);
    rows.template step<false>(p, whole * kRegister, static_cast<int>(whole % 2), adds, some);
  }
  if (kRight) rows.store_dots(p, first);
}

template <class R, bool kRight, bool kLeft>
void pass_of(const MatrixPass& p) {
  int64_t i = 0;
  for (; i + kRows <= p.rows; i += kRows) walk<R, kRows, kRight, kLeft>(p, i);
  if (p.rows - i >= 4) walk<R, 4, kRight, kLeft>(p, i), i += 4;
  if (p.rows - i >= 2) walk<R, 2, kRight, kLeft>(p, i), i += 2;
  if (p.rows - i >= 1) walk<R, 1, kRight, kLeft>(p, i);
}

template <class R>
void pass(const MatrixPass& p) {
  if (p.right && p.left) return pass_of<R, true, true>(p);
  p.right ? pass_of<R, true, false>(p) : pass_of<R, false, true>(p);
}

}  // namespace

void matrix_pass(dtype type, const MatrixPass& p) {
  type == dtype::float64 ? pass<double>(p) : pass<float>(p);
}

#else

void matrix_pass(dtype, const MatrixPass&) {}

#endif

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
