#include "backend/cpu/simd/small_orthogonal.h"

#include "backend/cpu/simd/small_lanes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

template <class R>
inline constexpr R kEpsilon = sizeof(R) == 4 ? R(1.1920929e-7) : R(2.220446049250313e-16);

/// The power of two at or below each number; 1 where it has none.
template <class R>
Vector<R> power_of_two(Vector<R> x) {
  using Bits = kernels::conditional<sizeof(R) == 4, int, long>;
  const Mask<R> exponent = Mask<R>{} + static_cast<Bits>(sizeof(R) == 4 ? 0x7f800000 : 0x7ff0000000000000);
  Mask<R> bits;
  __builtin_memcpy(&bits, &x, sizeof(x));
  bits &= exponent;
  Vector<R> power;
  __builtin_memcpy(&power, &bits, sizeof(x));
  return (power > 0) & (bits != exponent) ? power : Vector<R>{} + 1;
}

template <class S, class F>
CUPRUM_FN void each_element(const Rows<S>& a, int rows, F&& f) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < a.width; ++j) f(a.at(i, j));
  }
}

/// Divides all elements by a power of two near the largest one, so that squares stay in range; the power. failed: not all are finite.
template <class S>
Vector<typename S::Real> scale_elements(const Rows<S>& a, int rows, unsigned char* failed) {
  using R = typename S::Real;
  Vector<R> largest{}, sum{};
  each_element(a, rows, [&](R* p) {
    const Vector<R> size = S::load(p).size();
    largest = size > largest ? size : largest;
    sum += size * 0;
  });
  for (int l = 0; failed && l < kWidth<R>; ++l) failed[l] |= sum[l] != 0;
  const Vector<R> power = power_of_two<R>(largest), inverse = 1 / power;
  each_element(a, rows, [&](R* p) { S::load(p).times(inverse).store(p); });
  return power;
}

template <class S>
void set_identity(const Rows<S>& a, int rows) {
  using R = typename S::Real;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < a.width; ++j) S::of(i == j ? Vector<R>{} + 1 : Vector<R>{}).store(a.at(i, j));
  }
}

// -- Reflections.

/// Columns [first, last) of `to` become (1 - v tau v^H) of them; v is 1 at row j, stands below it in column j of `from`, and ends
/// before row m.
template <class S>
void reflect(const Rows<S>& from, int j, int m, S tau, const Rows<S>& to, int first, int last) {
  int c = first;
  const auto some = [&]<int kCount>() {
    S sums[kCount];
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) sums[r] = S::load(to.at(j, c + r));
    for (int i = j + 1; i < m; ++i) {
      const S v = S::load(from.at(i, j)).conjugate();
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r) sums[r] = sums[r] + v * S::load(to.at(i, c + r));
    }
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) {
      sums[r] = tau * sums[r];
      (S::load(to.at(j, c + r)) - sums[r]).store(to.at(j, c + r));
    }
    for (int i = j + 1; i < m; ++i) {
      const S v = S::load(from.at(i, j));
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r) (S::load(to.at(i, c + r)) - v * sums[r]).store(to.at(i, c + r));
    }
    c += kCount;
  };
  while (c + 4 <= last) some.template operator()<4>();
  while (c < last) some.template operator()<1>();
}

template <class S>
void factor_qr(const Rows<S>& a, int m, const Rows<S>& taus, const Rows<S>& q) {
  using R = typename S::Real;
  using V = Vector<R>;
  const int n = a.width, k = m < n ? m : n;
  const V scale = scale_elements(a, m, nullptr);
  for (int j = 0; j < k; ++j) {
    V below{};
    for (int i = j + 1; i < m; ++i) below += S::load(a.at(i, j)).squared();
    const S alpha = S::load(a.at(j, j));
    const V length = square_root<R>(alpha.squared() + below);
    const V beta = alpha.real() < 0 ? length : -length;
    const Mask<R> nothing = (below == 0) & alpha.is_real();  // as it should be already
    const S tau = choose<R>(nothing, S::of(V{}), (S::of(beta) - alpha).over(beta));
    const S inverse = choose<R>(nothing, S::of(V{}), (alpha - S::of(beta)).reciprocal());
    for (int i = j + 1; i < m; ++i) (S::load(a.at(i, j)) * inverse).store(a.at(i, j));
    choose<R>(nothing, alpha, S::of(beta)).store(a.at(j, j));
    tau.store(taus.at(0, j));
    reflect(a, j, m, tau.conjugate(), a, j + 1, n);
  }
  if (q.data) {
    set_identity(q, m);
    for (int j = k; j-- > 0;) reflect(a, j, m, S::load(taus.at(0, j)), q, j, q.width);
  }
  for (int i = 0; i < m; ++i) {
    for (int j = i; j < n; ++j) S::load(a.at(i, j)).times(scale).store(a.at(i, j));
  }
}

// -- Rotations.

/// The rotation that makes the Hermitian matrix ((alpha, b), (conj b, beta)) diagonal; none where |b| is not above `negligible`.
template <class S>
struct Rotation {
  using R = typename S::Real;
  using V = Vector<R>;

  Rotation(V alpha, V beta, S b, V negligible) {
    const V size = b.modulus();
    turns = size > negligible;
    const V divisor = turns ? size : V{} + 1;
    const V tau = (beta - alpha) / (divisor + divisor);
    const V root = square_root<R>(1 + tau * tau);
    tangent = turns ? 1 / (tau < 0 ? tau - root : tau + root) : V{};
    cosine = 1 / square_root<R>(1 + tangent * tangent);
    sine = b.times(tangent * cosine / divisor);
    shift = tangent * size;
  }
  /// x, y = x c - conj(s) y, s x + c y
  CUPRUM_FN void turn(S& x, S& y) const {
    const S old = x;
    x = old.times(cosine) - sine.conjugate() * y;
    y = sine * old + y.times(cosine);
  }
  /// Of two rows, element by element.
  void turn_rows(const Rows<S>& a, int p, int q) const {
    for (int j = 0; j < a.width; ++j) {
      S x = S::load(a.at(p, j)), y = S::load(a.at(q, j));
      turn(x, y);
      x.store(a.at(p, j));
      y.store(a.at(q, j));
    }
  }

  Mask<R> turns;
  V tangent, cosine, shift;
  S sine;
};

/// Calls pair(p, q) for all pairs until it has nothing to turn in any lane; failed: lanes that had in the last sweep allowed.
template <class R, class F>
void sweep_pairs(int n, unsigned char* failed, F&& pair) {
  for (int sweep = 0;; ++sweep) {
    Mask<R> turned{};
    for (int q = 1; q < n; ++q) {
      for (int p = 0; p < q; ++p) turned |= pair(p, q);
    }
    if (!any<R>(turned)) return;
    if (sweep < kMostSweeps) continue;
    for (int l = 0; l < kWidth<R>; ++l) failed[l] |= turned[l] != 0;
    return;
  }
}

template <class S>
void diagonalize(const Rows<S>& a, const Rows<S>& vectors, typename S::Real* w, unsigned char* failed) {
  using R = typename S::Real;
  using V = Vector<R>;
  const int n = a.width;
  for (int i = 0; i < n; ++i) {  // the other triangle is not read, but scaled
    for (int j = i + 1; j < n; ++j) S::of(V{}).store(a.at(i, j));
  }
  const V scale = scale_elements(a, n, failed);
  if (vectors.data) set_identity(vectors, n);
  const V negligible = V{} + kEpsilon<R> / 16;
  sweep_pairs<R>(n, failed, [&](int p, int q) {
    const V alpha = S::load(a.at(p, p)).real(), beta = S::load(a.at(q, q)).real();
    const Rotation<S> rotation(alpha, beta, S::load(a.at(q, p)).conjugate(), negligible);
    if (!any<R>(rotation.turns)) return rotation.turns;
    // Columns p and q; of what is above the diagonal the conjugate stands below it.
    const auto turn = [&](typename S::Real* first, bool mirror_first, typename S::Real* second,
                          bool mirror_second) {
      S x = S::load(first), y = S::load(second);
      if (mirror_first) x = x.conjugate();
      if (mirror_second) y = y.conjugate();
      rotation.turn(x, y);
      (mirror_first ? x.conjugate() : x).store(first);
      (mirror_second ? y.conjugate() : y).store(second);
    };
    for (int k = 0; k < p; ++k) turn(a.at(p, k), true, a.at(q, k), true);
    for (int k = p + 1; k < q; ++k) turn(a.at(k, p), false, a.at(q, k), true);
    for (int k = q + 1; k < n; ++k) turn(a.at(k, p), false, a.at(k, q), false);
    choose<R>(rotation.turns, S::of(V{}), S::load(a.at(q, p))).store(a.at(q, p));
    S::of(alpha - rotation.shift).store(a.at(p, p));
    S::of(beta + rotation.shift).store(a.at(q, q));
    if (vectors.data) rotation.turn_rows(vectors, p, q);
    return rotation.turns;
  });
  for (int i = 0; i < n; ++i)
    RealLanes<R>{S::load(a.at(i, i)).real() * scale}.store(w + i * RealLanes<R>::kStep);
}

/// Rotates pairs of columns, which are rows here, until all are orthogonal to each other.
template <class S>
void orthogonalize(const Rows<S>& a, int n, const Rows<S>& vectors, typename S::Real* s,
                   unsigned char* failed) {
  using R = typename S::Real;
  using V = Vector<R>;
  const int m = a.width;
  const V scale = scale_elements(a, n, failed);
  if (vectors.data) set_identity(vectors, n);
  sweep_pairs<R>(n, failed, [&](int p, int q) {
    V alpha{}, beta{};
    S b = S::of(V{});
    for (int k = 0; k < m; ++k) {
      const S x = S::load(a.at(p, k)), y = S::load(a.at(q, k));
      alpha += x.squared();
      beta += y.squared();
      b = b + x.conjugate() * y;
    }
    const V negligible = square_root<R>(alpha) * square_root<R>(beta) * (kEpsilon<R> * static_cast<R>(m));
    const Rotation<S> rotation(alpha, beta, b, negligible);
    if (!any<R>(rotation.turns)) return rotation.turns;
    rotation.turn_rows(a, p, q);
    if (vectors.data) rotation.turn_rows(vectors, p, q);
    return rotation.turns;
  });
  for (int i = 0; i < n; ++i) {
    V square{};
    for (int k = 0; k < m; ++k) square += S::load(a.at(i, k)).squared();
    const V length = square_root<R>(square);
    if (vectors.data) {
      for (int l = 0; l < kWidth<R>; ++l) failed[l] |= !(length[l] > 0);
      for (int k = 0; k < m; ++k) S::load(a.at(i, k)).over(length).store(a.at(i, k));
    }
    RealLanes<R>{length * scale}.store(s + i * RealLanes<R>::kStep);
  }
}

/// The same register of another array of the group.
template <class R>
R* register_of(void* array, int first) {
  return array ? static_cast<R*>(array) + first : nullptr;
}

}  // namespace

void small_qr(dtype type, int m, int n, int columns, void* a, void* tau, void* q) {
  each_register(type, a, [&]<class S>(typename S::Real* data, int first) {
    using R = typename S::Real;
    factor_qr(Rows<S>{data, n}, m, Rows<S>{register_of<R>(tau, first), n},
              Rows<S>{register_of<R>(q, first), columns});
  });
}

void small_eigh(dtype type, int n, void* a, void* w, void* v, unsigned char* failed) {
  each_register(type, a, [&]<class S>(typename S::Real* data, int first) {
    using R = typename S::Real;
    diagonalize(Rows<S>{data, n}, Rows<S>{register_of<R>(v, first), n}, register_of<R>(w, first),
                failed + first);
  });
}

void small_svd(dtype type, int m, int n, void* a, void* s, void* v, unsigned char* failed) {
  each_register(type, a, [&]<class S>(typename S::Real* data, int first) {
    using R = typename S::Real;
    orthogonalize(Rows<S>{data, m}, n, Rows<S>{register_of<R>(v, first), n}, register_of<R>(s, first),
                  failed + first);
  });
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
