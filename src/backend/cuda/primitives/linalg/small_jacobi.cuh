// Jacobi's one-sided rotations of a small matrix, a column in each lane: columns are turned in pairs until
// all are orthogonal. They are then u s, and what they were turned by is v.
//
// In round r lane l meets lane l ^ r: N - 1 rounds bring every column together with every other. Rotations
// that change nothing are left out, so that a matrix does not depend on those that share its warp and take
// longer.
#pragma once

#include "backend/cuda/primitives/linalg/small_stack.cuh"

namespace cuprum::cuda::primitives {

template <class T, int N, bool Turned>
struct SmallJacobi {
  using R = Real<T>;
  static constexpr R kEpsilon = sizeof(R) == 4 ? R(0x1p-23) : R(0x1p-52);
  /// Squares of lengths below which a column counts as zero: beside a column of length 1 it is nothing, and
  /// of its own square little is left.
  static constexpr R kNothing = sizeof(R) == 4 ? R(0x1p-100) : R(0x1p-960);
  static constexpr int kSweeps = 30;  // eight are many

  T column[N] = {};
  T turned[Turned ? N : 1] = {};  // column `lane` of v
  int lane;
  bool failed = false;
  int exponent = 0;  // the columns were divided by this power of two

  __device__ explicit SmallJacobi(int lane) : lane(lane) {
    if constexpr (Turned) {
#pragma unroll
      for (int i = 0; i < N; ++i) turned[i] = number<T>(i == lane ? 1 : 0);
    }
  }

  /// The largest element is then about 1: squares neither overflow nor vanish, unless they do not matter.
  __device__ __forceinline__ void scale() {
    R largest = 0;
    bool finite = true;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const R size = size_of_number(column[i]);
      finite = finite && size < R(INFINITY);
      largest = fmax(largest, size);
    }
    largest = over_group(largest, [](R a, R b) { return fmax(a, b); });
    failed = over_group(finite ? 0 : 1, [](int a, int b) { return a | b; }) != 0;
    if (failed || largest == 0) return;
    exponent = max(ilogb(largest), sizeof(R) == 4 ? -125 : -1021);  // its reciprocal is a number
    const R down = ldexp(R(1), -exponent);
#pragma unroll
    for (int i = 0; i < N; ++i) column[i] = scaled(column[i], down);
  }

  /// Turns all pairs until no pair needs it.
  __device__ __forceinline__ void rotate() {
    bool busy = !failed;
    for (int sweep = 0; sweep < kSweeps && __any_sync(~0u, busy); ++sweep) {
      bool moved = false;
      for (int r = 1; r < N; ++r) moved = meet(r, busy) || moved;
      busy = over_group(moved ? 1 : 0, [](int a, int b) { return a | b; }) != 0;
    }
    failed = failed || busy;
  }

  __device__ __forceinline__ R norm() const {
    R sum = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) sum = add_square(sum, column[i]);
    return sum <= kNothing ? R(0) : sqrt(sum);
  }

  /// How many lanes come before this one, by falling or rising value; equal ones in their order.
  __device__ __forceinline__ int rank(R value, bool falling) const {
    int before = 0;
    for (int l = 0; l < N; ++l) {
      const R other = __shfl_sync(~0u, value, l, N);
      before += (falling ? other > value : other < value) || (other == value && l < lane);
    }
    return before;
  }

  /// x of all lanes of the matrix, combined.
  template <class X, class F>
  static __device__ __forceinline__ X over_group(X x, F&& f) {
#pragma unroll
    for (int gap = N / 2; gap > 0; gap /= 2) x = f(x, __shfl_xor_sync(~0u, x, gap, N));
    return x;
  }

 private:
  static __device__ __forceinline__ T xor_lane(T x, int r) {
    if constexpr (complex_number<T>)
      return {__shfl_xor_sync(~0u, x.re, r, N), __shfl_xor_sync(~0u, x.im, r, N)};
    else
      return __shfl_xor_sync(~0u, x, r, N);
  }

  /// What this lane's column becomes: keep column + take other.
  struct Rotation {
    T keep, take;
    bool turns;
  };

  /// Both lanes of a pair make it of the same numbers, those of the first one.
  __device__ __forceinline__ Rotation rotation(bool first, R alpha, R beta, T gamma) const {
    const R size = modulus(gamma);
    if (fmin(alpha, beta) <= kNothing || !(size > kEpsilon * sqrt(R(N)) * sqrt(alpha) * sqrt(beta)))
      return {number<T>(1), T{}, false};
    const R zeta = (beta - alpha) / (2 * size);
    const R t = (zeta >= 0 ? R(1) : R(-1)) / (fabs(zeta) + sqrt(fma_of(zeta, zeta, R(1))));
    const R c = 1 / sqrt(fma_of(t, t, R(1))), s = c * t;
    const T back =
        scaled(conjugated(gamma), 1 / size);  // turns the second column so that their product is real
    return first ? Rotation{number<T>(c), scaled(back, -s), true}
                 : Rotation{scaled(back, c), number<T>(s), true};
  }

  /// Did this lane's column turn?
  __device__ __forceinline__ bool meet(int r, bool busy) {
    const bool first = (lane ^ r) > lane;
    T other[N];
    T product = {};
    R own = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      other[i] = xor_lane(column[i], r);
      own = add_square(own, column[i]);
      product = add_product(product, conjugated(column[i]), other[i]);
    }
    const R theirs = __shfl_xor_sync(~0u, own, r, N);
    const T product_there = xor_lane(product, r);
    Rotation found =
        first ? rotation(true, own, theirs, product) : rotation(false, theirs, own, product_there);
    found.turns = found.turns && busy;
    if (!__any_sync(~0u, found.turns)) return false;
    turn(column, other, found);
    if constexpr (Turned) {
#pragma unroll
      for (int i = 0; i < N; ++i) other[i] = xor_lane(turned[i], r);
      turn(turned, other, found);
    }
    return found.turns;
  }

  static __device__ __forceinline__ void turn(T (&x)[N], const T (&other)[N], const Rotation& by) {
    if (!by.turns) return;
#pragma unroll
    for (int i = 0; i < N; ++i) x[i] = add_product(add_product(T{}, by.keep, x[i]), by.take, other[i]);
  }
};

}  // namespace cuprum::cuda::primitives
