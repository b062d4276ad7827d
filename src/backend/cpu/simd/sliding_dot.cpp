// Vectors run along the results, so each sum is added up in the order of the taps, in parts of kPart: the error of long
// sums stays small. Eight vectors of results are kept in registers while the taps pass by (101 taps, float32: 2.3 taps
// per cycle and lane; a dot product per result reads everything twice).
//
// A block has taps that all of its results have; at the ends of `a` some have more: a head before and a tail behind.
#include "backend/cpu/simd/sliding_dot.h"

#include "backend/cpu/simd/elements.h"
#include "backend/cpu/simd/register_bytes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

constexpr int64_t kPart = 256;

template <class T>
using Vector __attribute__((vector_size(kRegisterBytes), aligned(sizeof(T)), may_alias)) = T;

template <class T>
inline constexpr int kLanes = kRegisterBytes / sizeof(T);

struct MultiplyAdd {
  template <class T, class W>
  static void apply(T& sum, T a, W v) {
    sum = static_cast<T>(sum + a * v);
  }
};

struct OrAnd {
  template <class T, class W>
  static void apply(T& sum, T a, W v) {
    sum = static_cast<T>(sum | (a & v));
  }
};

/// Elements of one plane.
template <class T, class Step>
struct Plain {
  using Part = T;

  const T* a;
  const T* v;
  int64_t length, taps;
  explicit Plain(const SlidingProduct& d)
      : a(static_cast<const T*>(d.a)), v(static_cast<const T*>(d.v)), length(d.length), taps(d.taps) {}

  struct Sums {
    alignas(64) T part[kSlidingBlock] = {}, total[kSlidingBlock];
    bool several = false;

    void settle() {
      for (int i = 0; i < kSlidingBlock; ++i) {
        total[i] = several ? joined(total[i], part[i]) : part[i];
        part[i] = 0;
      }
      several = true;
    }
    void store(void* out, int64_t count) const {
      for (int64_t i = 0; i < count; ++i) static_cast<T*>(out)[i] = result(i);
    }
    T result(int64_t i) const { return several ? joined(total[i], part[i]) : part[i]; }
    static T joined(T a, T b) { return static_cast<T>(kernels::same<Step, OrAnd> ? a + b != 0 : a + b); }
  };

  void one(Sums& s, int64_t i, int64_t at, int64_t tap) const { Step::apply(s.part[i], a[at], v[tap]); }

  /// kVectors vectors of results from the i-th on; `at` is the element under the first tap of the i-th.
  template <int kVectors>
  void many(Sums& s, int64_t i, int64_t at, int64_t tap, int64_t count) const {
    using V = Vector<T>;
    V sum[kVectors];
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) sum[k] = *reinterpret_cast<const V*>(s.part + i + k * kLanes<T>);
    const T* under = a + at;
    for (int64_t j = 0; j < count; ++j, ++under) {
      const T weight = v[tap + j];
#pragma GCC unroll 8
      for (int k = 0; k < kVectors; ++k) {
        Step::apply(sum[k], *reinterpret_cast<const V*>(under + k * kLanes<T>), weight);
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) *reinterpret_cast<V*>(s.part + i + k * kLanes<T>) = sum[k];
  }
};

/// Complex numbers: real and imaginary parts in planes.
template <class R>
struct Planar {
  using Part = R;

  const R *a, *b, *v, *w;
  int64_t length, taps;
  explicit Planar(const SlidingProduct& d)
      : a(static_cast<const R*>(d.a)),
        b(a + d.length),
        v(static_cast<const R*>(d.v)),
        w(v + d.taps),
        length(d.length),
        taps(d.taps) {}

  struct Sums {
    typename Plain<R, MultiplyAdd>::Sums re, im;
    void settle() {
      re.settle();
      im.settle();
    }
    void store(void* out, int64_t count) const {
      for (int64_t i = 0; i < count; ++i) {
        static_cast<R*>(out)[2 * i] = re.result(i);
        static_cast<R*>(out)[2 * i + 1] = im.result(i);
      }
    }
  };

  template <class V, class W>
  static void step(V& re, V& im, V a, V b, W v, W w) {
    re = re + (a * v - b * w);
    im = im + (a * w + b * v);
  }

  void one(Sums& s, int64_t i, int64_t at, int64_t tap) const {
    step(s.re.part[i], s.im.part[i], a[at], b[at], v[tap], w[tap]);
  }

  template <int kVectors>
  void many(Sums& s, int64_t i, int64_t at, int64_t tap, int64_t count) const {
    using V = Vector<R>;
    V re[kVectors], im[kVectors];
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) {
      re[k] = *reinterpret_cast<const V*>(s.re.part + i + k * kLanes<R>);
      im[k] = *reinterpret_cast<const V*>(s.im.part + i + k * kLanes<R>);
    }
    for (int64_t j = 0; j < count; ++j) {
#pragma GCC unroll 8
      for (int k = 0; k < kVectors; ++k) {
        const int64_t under = at + j + k * kLanes<R>;
        step(re[k], im[k], *reinterpret_cast<const V*>(a + under), *reinterpret_cast<const V*>(b + under),
             v[tap + j], w[tap + j]);
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) {
      *reinterpret_cast<V*>(s.re.part + i + k * kLanes<R>) = re[k];
      *reinterpret_cast<V*>(s.im.part + i + k * kLanes<R>) = im[k];
    }
  }
};

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/// `taps` taps from `tap` on, for `count` results; `at` is the element of `a` under the first tap of the first result.
template <class Dot>
void common_taps(const Dot& dot, typename Dot::Sums& sums, int64_t count, int64_t at, int64_t tap,
                 int64_t taps) {
  constexpr int kWide = kLanes<typename Dot::Part>;
  constexpr int kMany = 8 * kWide <= kSlidingBlock ? 8 : kSlidingBlock / kWide;
  int64_t i = 0;
  for (; i + kMany * kWide <= count; i += kMany * kWide) dot.template many<kMany>(sums, i, at + i, tap, taps);
  for (; i + kWide <= count; i += kWide) dot.template many<1>(sums, i, at + i, tap, taps);
  for (; i < count; ++i) {
    for (int64_t j = 0; j < taps; ++j) dot.one(sums, i, at + i + j, tap + j);
  }
}

template <class Dot>
void block(const SlidingProduct& d, int64_t first, int64_t count, void* out) {
  const Dot dot(d);
  typename Dot::Sums sums;
  const int64_t start = first - d.left;  // the element under the first tap of the first result
  const auto low = [&](int64_t i) { return most(0, -(start + i)); };
  const auto high = [&](int64_t i) { return least(d.taps, d.length - (start + i)); };
  const auto scalar = [&](int64_t i, int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) dot.one(sums, i, start + i + j, j);
  };
  const int64_t begin = low(0), end = high(count - 1);
  if (begin >= end) {
    for (int64_t i = 0; i < count; ++i) scalar(i, low(i), high(i));
    return sums.store(out, count);
  }
  for (int64_t i = 0; begin > 0 && i < count; ++i) scalar(i, low(i), begin);
  for (int64_t j = begin; j < end; j += kPart) {
    common_taps(dot, sums, count, start + j, j, least(kPart, end - j));
    if (end - j > kPart) sums.settle();
  }
  for (int64_t i = 0; end < d.taps && i < count; ++i) scalar(i, end, high(i));
  sums.store(out, count);
}

}  // namespace

void sliding_block(dtype type, const SlidingProduct& dot, int64_t first, int64_t count, void* out) {
  switch (type) {
    case dtype::bool_: return block<Plain<kernels::uint8, OrAnd>>(dot, first, count, out);
    case dtype::int8:
    case dtype::uint8: return block<Plain<kernels::uint8, MultiplyAdd>>(dot, first, count, out);
    case dtype::int16:
    case dtype::uint16: return block<Plain<kernels::uint16, MultiplyAdd>>(dot, first, count, out);
    case dtype::int32:
    case dtype::uint32: return block<Plain<kernels::uint32, MultiplyAdd>>(dot, first, count, out);
    case dtype::int64:
    case dtype::uint64: return block<Plain<kernels::uint64, MultiplyAdd>>(dot, first, count, out);
    case dtype::float32: return block<Plain<float, MultiplyAdd>>(dot, first, count, out);
    case dtype::float64: return block<Plain<double, MultiplyAdd>>(dot, first, count, out);
    case dtype::complex64: return block<Planar<float>>(dot, first, count, out);
    case dtype::complex128: return block<Planar<double>>(dot, first, count, out);
    default: return;  // float16 and bfloat16: callers widen them
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
