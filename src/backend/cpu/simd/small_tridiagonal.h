// Real symmetric tridiagonal matrices, one for each lane: all eigenvalues by the implicit QL method.
//
// The lanes go through the same rotations in the same order; one whose block has ended turns by nothing, so that its numbers are those
// that it has alone. A rotation of all lanes waits for one square root and one division.
#pragma once

#include "backend/cpu/simd/small_lanes.h"
#include "backend/cpu/simd/small_orthogonal.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

template <class R>
inline constexpr R kEpsilon = sizeof(R) == 4 ? R(1.1920929e-7) : R(2.220446049250313e-16);

/// d: the diagonal; e[i] stands beside d[i] and d[i + 1], and e has n elements. No element is much larger than 1. Afterwards d has the
/// eigenvalues in no order. turn(l, m, cosines, sines) is told the rotations of each sweep: for i from m - 1 down to l, vectors
/// i and i + 1 become cosines[i] v[i] - sines[i] v[i + 1] and sines[i] v[i] + cosines[i] v[i + 1].
template <class R, int kMost, class F>
void implicit_ql(int n, Vector<R>* d, Vector<R>* e, unsigned char* failed, F&& turn) {
  using V = Vector<R>;
  constexpr R kNothing = sizeof(R) == 4 ? R(1e-30) : R(1e-280);  // the square of what vanishes beside 1
  constexpr V one = V{} + 1;
  Mask<R> inside[kMost];  // is rotation i in the lane's block?
  V cosines[kMost], sines[kMost];
  for (int l = 0; l + 1 < n; ++l) {
    for (int sweep = 0;; ++sweep) {
      Mask<R> open = ~Mask<R>{};
      V last = d[l];
      int m = l;
      for (; m + 1 < n; ++m) {
        open &= magnitude<R>(e[m]) > (magnitude<R>(d[m]) + magnitude<R>(d[m + 1])) * (kEpsilon<R> / 2);
        if (!any<R>(open)) break;
        inside[m] = open;
        last = open ? d[m + 1] : last;
      }
      if (m == l) break;
      if (sweep == kMostSweeps) {
        for (int lane = 0; lane < kWidth<R>; ++lane) failed[lane] |= inside[l][lane] != 0;
        break;
      }
      const V beside = inside[l] ? e[l] : one, ahead = (d[l + 1] - d[l]) / (beside + beside);
      const V root = square_root<R>(ahead * ahead + 1);
      V g = last - d[l] + beside / (ahead < 0 ? ahead - root : ahead + root);
      V s = one, c = one, p{};
      Mask<R> started{}, stopped{};
      for (int i = m; i-- > l;) {
        const V f = s * e[i], b = c * e[i], square = f * f + g * g;
        const Mask<R> moves = inside[i] & ~stopped & (square >= kNothing),
                      stops = inside[i] & ~stopped & ~moves;
        const V r = square_root<R>(moves ? square : one);
        const V sine = moves ? f / r : V{}, cosine = moves ? g / r : one;
        e[i + 1] = moves & started ? r : inside[i] & ~stopped ? V{} : e[i + 1];
        const V shifted = d[i + 1] - p, t = (d[i] - shifted) * sine + 2 * cosine * b, next = sine * t;
        d[i + 1] = moves ? shifted + next : stops ? shifted : d[i + 1];
        g = moves ? cosine * t - b : g;
        p = moves ? next : p;
        s = moves ? sine : s;
        c = moves ? cosine : c;
        sines[i] = sine;
        cosines[i] = cosine;
        started |= moves;
        stopped |= stops;
      }
      const Mask<R> done = inside[l] & ~stopped;
      d[l] = done ? d[l] - p : d[l];
      e[l] = done ? g : e[l];
      turn(l, m, cosines, sines);
    }
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
