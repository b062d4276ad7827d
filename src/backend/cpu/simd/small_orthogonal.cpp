#include "backend/cpu/simd/small_orthogonal.h"

#include "backend/cpu/simd/small_lanes.h"
#include "backend/cpu/simd/small_tridiagonal.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

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

/// The reflection 1 - v tau v^H whose conjugate leaves of column `c` of `a`, from row j to row m, only the first number, a real one:
/// v is 1 at row j, and stands below it afterwards.
template <class S>
struct Reflection {
  S tau, first;

  Reflection(const Rows<S>& a, int j, int c, int m) {
    using R = typename S::Real;
    using V = Vector<R>;
    V largest{},
        below{};  // squares of what is small in a matrix vanish: the column is brought to numbers near one
    for (int i = j; i < m; ++i) {
      const V size = S::load(a.at(i, c)).size();
      largest = size > largest ? size : largest;
    }
    const V power = power_of_two<R>(largest), near = 1 / power;
    for (int i = j + 1; i < m; ++i) below += S::load(a.at(i, c)).times(near).squared();
    const S alpha = S::load(a.at(j, c)).times(near);
    const V length = square_root<R>(alpha.squared() + below);
    const V beta = alpha.real() < 0 ? length : -length;
    // As it should be already, or too small to be anything.
    const Mask<R> nothing = ((below == 0) & alpha.is_real()) | (length == 0);
    tau = choose<R>(nothing, S::of(V{}), (S::of(beta) - alpha).over(beta));
    first = choose<R>(nothing, alpha, S::of(beta)).times(power);
    const S inverse = choose<R>(nothing, S::of(V{}), (alpha - S::of(beta)).reciprocal());
    for (int i = j + 1; i < m; ++i) (S::load(a.at(i, c)).times(near) * inverse).store(a.at(i, c));
  }
};

/// Columns [first, last) of `to` become (1 - v tau v^H) of them; v is 1 at row j, stands below it in column `column` of `from`, and
/// ends before row m.
template <class S>
void reflect(const Rows<S>& from, int j, int column, int m, S tau, const Rows<S>& to, int first, int last) {
  int c = first;
  const auto some = [&]<int kCount>() {
    S sums[kCount];
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) sums[r] = S::load(to.at(j, c + r));
    for (int i = j + 1; i < m; ++i) {
      const S v = S::load(from.at(i, column)).conjugate();
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r) sums[r] = sums[r] + v * S::load(to.at(i, c + r));
    }
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) {
      sums[r] = tau * sums[r];
      (S::load(to.at(j, c + r)) - sums[r]).store(to.at(j, c + r));
    }
    for (int i = j + 1; i < m; ++i) {
      const S v = S::load(from.at(i, column));
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
  const int n = a.width, k = m < n ? m : n;
  const auto scale = scale_elements(a, m, nullptr);
  for (int j = 0; j < k; ++j) {
    const Reflection<S> made(a, j, j, m);
    made.first.store(a.at(j, j));
    made.tau.store(taus.at(0, j));
    reflect(a, j, j, m, made.tau.conjugate(), a, j + 1, n);
  }
  if (q.data) {
    set_identity(q, m);
    for (int j = k; j-- > 0;) reflect(a, j, j, m, S::load(taus.at(0, j)), q, j, q.width);
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

// -- Hermitian matrices: to tridiagonal ones by reflections, and to diagonal ones by rotations.

/// a -= v w^H + w v^H with w made of a v, rows and columns from `first` on, of which the lower triangle is there: the matrix between the
/// reflection and its conjugate.
template <class S>
void reflect_both(const Rows<S>& a, int first, const S* v, S tau) {
  using V = Vector<typename S::Real>;
  const int n = a.width;
  S w[kSmallSide];
  for (int i = first; i < n; ++i) {
    S sum = v[i].times(S::load(a.at(i, i)).real());
    for (int k = first; k < i; ++k) {
      const S element = S::load(a.at(i, k));
      sum = sum + element * v[k];
      w[k] = w[k] + element.conjugate() * v[i];
    }
    w[i] = sum;
  }
  V product{};
  for (int i = first; i < n; ++i) {
    product += (v[i].conjugate() * w[i]).real();
    w[i] = tau * w[i];
  }
  const V share = product * tau.squared() * (V{} + typename S::Real(0.5));
  for (int i = first; i < n; ++i) w[i] = w[i] - v[i].times(share);
  for (int i = first; i < n; ++i) {
    for (int k = first; k <= i; ++k) {
      const S less = v[i] * w[k].conjugate() + w[i] * v[k].conjugate();
      (S::load(a.at(i, k)) - less).store(a.at(i, k));
    }
  }
}

/// Rows [l, m] turned by the rotations of a sweep (implicit_ql), a few columns at a time: each row is read and written once.
template <class S>
void turn_rows(const Rows<S>& rows, int l, int m, const Vector<typename S::Real>* cosines,
               const Vector<typename S::Real>* sines) {
  int k = 0;
  const auto some = [&]<int kCount>() {
    S x[kCount];
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) x[r] = S::load(rows.at(m, k + r));
    for (int i = m; i-- > l;) {
      const auto c = cosines[i], s = sines[i];
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r) {
        const S y = S::load(rows.at(i, k + r));
        (y.times(s) + x[r].times(c)).store(rows.at(i + 1, k + r));
        x[r] = y.times(c) - x[r].times(s);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) x[r].store(rows.at(l, k + r));
    k += kCount;
  };
  while (k + 4 <= rows.width) some.template operator()<4>();
  while (k < rows.width) some.template operator()<1>();
}

template <class S>
void transpose(const Rows<S>& a) {
  for (int i = 0; i < a.width; ++i) {
    for (int j = 0; j < i; ++j) {
      const S below = S::load(a.at(i, j));
      S::load(a.at(j, i)).store(a.at(i, j));
      below.store(a.at(j, i));
    }
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
  V d[kSmallSide], e[kSmallSide];
  S taus[kSmallSide], v[kSmallSide];
  for (int j = 0; j + 1 < n; ++j) {
    const Reflection<S> made(a, j + 1, j, n);
    d[j] = S::load(a.at(j, j)).real();
    e[j] = made.first.real();
    taus[j] = made.tau;
    v[j + 1] = S::of(V{} + 1);
    for (int i = j + 2; i < n; ++i) v[i] = S::load(a.at(i, j));
    reflect_both(a, j + 1, v, made.tau);
  }
  d[n - 1] = S::load(a.at(n - 1, n - 1)).real();
  e[n - 1] = V{};
  if (vectors.data) {
    set_identity(vectors, n);
    for (int j = n - 1; j-- > 0;) reflect(a, j + 1, j, n, taus[j], vectors, j + 1, n);
    transpose(vectors);
  }
  implicit_ql<R, kSmallSide>(n, d, e, failed, [&](int l, int m, const V* cosines, const V* sines) {
    if (vectors.data) turn_rows(vectors, l, m, cosines, sines);
  });
  // A turn by nothing may have lost the sign of a zero: no zero is negative.
  if (vectors.data) each_element(vectors, n, [](R* p) { (S::load(p) + S::of(V{})).store(p); });
  for (int i = 0; i < n; ++i) RealLanes<R>{d[i] * scale}.store(w + i * RealLanes<R>::kStep);
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
