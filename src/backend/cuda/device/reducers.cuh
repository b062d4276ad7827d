// What a reduction does with the values of its operand. A reducer is a type with
//   Value     what it takes: the operand's type, float for float16 and bfloat16
//   Running   what a thread keeps per lane while it reads; Running() is empty
//   State     what is merged between lanes, threads and blocks, and kept in memory as a partial result
//   Result    what finish() returns; the body converts and stores it
//   add(running, value, at)    `at`: position of the element in the logical order of the reduced dimensions
//   flush(running)             called after every kChunk items of a thread and at the end
//   state(running), merge(to, from): `from` comes later
//   finish(state, count, ddof)
//   kPositions                 does add() look at `at`?
// and, where the lanes of a row are better kept together than one by one,
//   Row, add_item(row, values, count), flush_row(row), state(row)
// Chunks may be folded by different blocks (row_program.cuh):
//   Part, part(running)        a chunk that was not flushed yet
//   add_part(running, part)    to the chunks before it, as flush would
//
// Sums are exact to the bits in an order that the skeletons fix. They run over chunks of kChunk items, chunk sums are added
// to a total, totals merge in a tree: the error grows like that of pairwise summation. Empty states are neutral,
// exactly: -0.0 for sums, for x + -0.0 is x whatever its sign.
#pragma once

#include "device/index.cuh"
#include "kernels/arithmetic.h"
#include "kernels/bitwise.h"
#include "kernels/cast.h"
#include "kernels/complex.h"
#include "kernels/minmax.h"

namespace cuprum::cuda::device {

inline constexpr int kChunk = 16;  // items

// -- Folds: the operation and its exactly neutral element.

template <class T>
CUPRUM_DEVICE T highest() {
  if constexpr (kernels::complex_number<T>) {
    return T{highest<decltype(T::re)>(), highest<decltype(T::re)>()};
  } else if constexpr (kernels::native_float<T>) {
    return kernels::infinity<T>();
  } else if constexpr (kernels::boolean<T>) {
    return true;
  } else if constexpr (kernels::unsigned_integer<T>) {
    return static_cast<T>(~T(0));
  } else {
    return static_cast<T>(kernels::bits_of<T>(~kernels::bits_of<T>(0)) >> 1);
  }
}
template <class T>
CUPRUM_DEVICE T lowest() {
  if constexpr (kernels::complex_number<T>) {
    return T{lowest<decltype(T::re)>(), lowest<decltype(T::re)>()};
  } else if constexpr (kernels::native_float<T>) {
    return -kernels::infinity<T>();
  } else if constexpr (kernels::boolean<T> || kernels::unsigned_integer<T>) {
    return T(0);
  } else {
    return static_cast<T>(~highest<T>());
  }
}
template <class T>
CUPRUM_DEVICE T not_a_number() {
  if constexpr (kernels::complex_number<T>) {
    return T{not_a_number<decltype(T::re)>(), not_a_number<decltype(T::re)>()};
  } else {
    return kernels::quiet_nan<T>();
  }
}
template <class T>
inline constexpr bool has_nan = kernels::native_float<T> || kernels::complex_number<T>;

struct Add {
  template <class T>
  CUPRUM_DEVICE static T neutral() {
    if constexpr (kernels::complex_number<T>) {
      using R = decltype(T::re);
      return T{R(-0.0), R(-0.0)};
    } else if constexpr (kernels::native_float<T>) {
      return T(-0.0);
    } else {
      return T(0);
    }
  }
  template <class T>
  CUPRUM_DEVICE static T fold(T a, T b) {
    return kernels::add(a, b);
  }
};
struct Multiply {
  template <class T>
  CUPRUM_DEVICE static T neutral() {
    return kernels::cast<T>(true);
  }
  template <class T>
  CUPRUM_DEVICE static T fold(T a, T b) {
    return kernels::multiply(a, b);
  }
};
#define CUPRUM_FOLD(Name, meaning, empty)   \
  struct Name {                             \
    template <class T>                      \
    CUPRUM_DEVICE static T neutral() {      \
      return empty;                         \
    }                                       \
    template <class T>                      \
    CUPRUM_DEVICE static T fold(T a, T b) { \
      return kernels::meaning(a, b);        \
    }                                       \
  };
CUPRUM_FOLD(Minimum, minimum, highest<T>())
CUPRUM_FOLD(Maximum, maximum, lowest<T>())
CUPRUM_FOLD(BitAnd, bitwise_and, static_cast<T>(~T(0)))
CUPRUM_FOLD(BitOr, bitwise_or, T(0))
CUPRUM_FOLD(BitXor, bitwise_xor, T(0))
#undef CUPRUM_FOLD
#define CUPRUM_FOLD_NAN(Name, meaning, empty) \
  struct Name {                               \
    template <class T>                        \
    CUPRUM_DEVICE static T neutral() {        \
      if constexpr (has_nan<T>) {             \
        return not_a_number<T>();             \
      } else {                                \
        return empty;                         \
      }                                       \
    }                                         \
    template <class T>                        \
    CUPRUM_DEVICE static T fold(T a, T b) {   \
      return kernels::meaning(a, b);          \
    }                                         \
  };
CUPRUM_FOLD_NAN(FMin, fmin, highest<T>())
CUPRUM_FOLD_NAN(FMax, fmax, lowest<T>())
#undef CUPRUM_FOLD_NAN
// any, all and logical_xor of bools; sum is any, prod is all.
struct Any {
  template <class T>
  CUPRUM_DEVICE static bool neutral() {
    return false;
  }
  CUPRUM_DEVICE static bool fold(bool a, bool b) { return a | b; }
};
struct All {
  template <class T>
  CUPRUM_DEVICE static bool neutral() {
    return true;
  }
  CUPRUM_DEVICE static bool fold(bool a, bool b) { return a & b; }
};
struct Odd {
  template <class T>
  CUPRUM_DEVICE static bool neutral() {
    return false;
  }
  CUPRUM_DEVICE static bool fold(bool a, bool b) { return a != b; }
};

/// Folding with F; `mean`: the result is divided by the number of elements.
template <class F, class T, bool mean = false>
struct Fold {
  static constexpr bool kPositions = false;
  using Value = T;
  using Result = T;
  struct Running {
    T chunk = F::template neutral<T>(), total = F::template neutral<T>();
  };
  struct State {
    T value = F::template neutral<T>();
  };

  template <class Position>
  CUPRUM_DEVICE static void add(Running& r, T value, Position) {
    r.chunk = F::fold(r.chunk, value);
  }
  CUPRUM_DEVICE static void flush(Running& r) {
    r.total = F::fold(r.total, r.chunk);
    r.chunk = F::template neutral<T>();
  }
  using Part = T;
  CUPRUM_DEVICE static Part part(const Running& r) { return r.chunk; }
  CUPRUM_DEVICE static void add_part(Running& r, const Part& part) { r.total = F::fold(r.total, part); }
  CUPRUM_DEVICE static State state(const Running& r) { return State{r.total}; }
  CUPRUM_DEVICE static void merge(State& to, const State& from) { to.value = F::fold(to.value, from.value); }
  CUPRUM_DEVICE static T finish(const State& s, int64 count, double) {
    if constexpr (!mean) {
      return s.value;
    } else if constexpr (kernels::complex_number<T>) {
      const auto n = static_cast<decltype(T::re)>(count);
      return T{s.value.re / n, s.value.im / n};
    } else {
      return s.value / static_cast<T>(count);
    }
  }
};

/// Complex products, and extrema that skip NaN, have no neutral element (1 times an infinity is not that infinity): they
/// start from their first element.
template <class F, class T>
concept without_neutral = kernels::complex_number<T> &&
    (kernels::same<F, Multiply> || kernels::same<F, FMin> || kernels::same<F, FMax>);

template <class F, class T>
requires without_neutral<F, T>
struct Fold<F, T, false> {
  static constexpr bool kPositions = false;
  using Value = T;
  using Result = T;
  struct State {
    T value = T{};
    bool any = false;
  };
  struct Running {
    State chunk, total;
  };

  template <class Position>
  CUPRUM_DEVICE static void add(Running& r, T value, Position) {
    merge(r.chunk, State{value, true});
  }
  CUPRUM_DEVICE static void flush(Running& r) {
    merge(r.total, r.chunk);
    r.chunk = State();
  }
  using Part = State;
  CUPRUM_DEVICE static Part part(const Running& r) { return r.chunk; }
  CUPRUM_DEVICE static void add_part(Running& r, const Part& part) { merge(r.total, part); }
  CUPRUM_DEVICE static State state(const Running& r) { return r.total; }
  CUPRUM_DEVICE static void merge(State& to, const State& from) {
    if (!from.any) return;
    to.value = to.any ? F::fold(to.value, from.value) : from.value;
    to.any = true;
  }
  CUPRUM_DEVICE static T finish(const State& s, int64, double) { return s.value; }
};

// -- Positions of extrema. better(a, b): is a to be preferred to b, wherever they stand?

#define CUPRUM_ORDER(Name, first, second, compare)                                                 \
  struct Name {                                                                                    \
    template <class T>                                                                             \
    CUPRUM_DEVICE static bool better(T a, T b) {                                                   \
      return (!kernels::holds_nan(second)) & (kernels::holds_nan(first) | kernels::compare(a, b)); \
    }                                                                                              \
  };
CUPRUM_ORDER(Largest, a, b, greater)
CUPRUM_ORDER(Smallest, a, b, less)
CUPRUM_ORDER(LargestNumber, b, a, greater)
CUPRUM_ORDER(SmallestNumber, b, a, less)
#undef CUPRUM_ORDER

/// The position of the best value, the first of equal ones. `ordered`: a thread meets positions in increasing order.
template <class Order, class T, class Index, bool ordered>
struct Arg {
  static constexpr bool kPositions = true;
  using Value = T;
  using Result = int64;
  struct Running {
    T best = T{};
    Index at = -1;
  };
  using State = Running;

  CUPRUM_DEVICE static void add(Running& r, T value, Index at) {
    bool take = (r.at < 0) | Order::better(value, r.best);
    if constexpr (!ordered) take |= (at < r.at) & !Order::better(r.best, value);
    r.best = take ? value : r.best;
    r.at = take ? at : r.at;
  }
  CUPRUM_DEVICE static void flush(Running&) {}
  using Part = Running;
  CUPRUM_DEVICE static Part part(const Running& r) { return r; }
  CUPRUM_DEVICE static void add_part(Running& r, const Part& part) { merge(r, part); }
  CUPRUM_DEVICE static State state(const Running& r) { return r; }
  CUPRUM_DEVICE static void merge(State& to, const State& from) {
    if (from.at < 0) return;
    const bool earlier = (from.at < to.at) & !Order::better(to.best, from.best);
    if ((to.at < 0) | Order::better(from.best, to.best) | earlier) to = from;
  }
  CUPRUM_DEVICE static int64 finish(const State& s, int64, double) { return s.at; }
};

/// The variance in one pass: a chunk sums deviations d and d^2 from a number near its mean, which is exact where it
/// matters (mean much larger than deviation); its mean and squares, squares = sum d^2 - (sum d)^2 / n, are merged in
/// double precision by Chan's formula.
///
/// The mean of a state is the number that deviations were taken from, and how far off it was.
template <class R>
struct Centre {
  double mean = 0;

  CUPRUM_DEVICE static Centre at(R shift, double off) { return Centre{static_cast<double>(shift) + off}; }
  CUPRUM_DEVICE double number() const { return mean; }
  CUPRUM_DEVICE double distance_from(const Centre& other) const { return mean - other.mean; }
  CUPRUM_DEVICE void move(double by) { mean += by; }
};
/// In double precision the two stay apart: their sum would lose the digits that the distances of means are made of (7 of 16
/// for numbers around 1e9 with a deviation of 1).
template <>
struct Centre<double> {
  double shift = 0, off = 0;

  CUPRUM_DEVICE static Centre at(double shift, double off) { return Centre{shift, off}; }
  CUPRUM_DEVICE double number() const { return shift + off; }
  CUPRUM_DEVICE double distance_from(const Centre& other) const {
    return (shift - other.shift) + (off - other.off);
  }
  CUPRUM_DEVICE void move(double by) { off += by; }
};

template <class R>
struct Spread {
  double count = 0, m2 = 0;
  Centre<R> centre;
};

/// (count, m2, centre) becomes that of its own elements and those of `from`; its count is left to the caller. Equal counts,
/// which nearly all are, need no division.
template <class R>
CUPRUM_DEVICE void merge_spread(double count, double& m2, Centre<R>& centre, const Spread<R>& from) {
  if (from.count == 0) return;
  const bool first = count == 0;
  const double share = count == from.count ? 0.5 : from.count / (count + from.count);
  const double delta = first ? 0 : from.centre.distance_from(centre);
  m2 = m2 + from.m2 + delta * delta * (count * share);
  if (first) {
    centre = from.centre;
  } else {
    centre.move(delta * share);
  }
}

/// The deviations of `elements` numbers from `shift`.
template <class R>
struct Deviations {
  R shift = 0, sum = 0, squares = 0;
  int elements = 0;
};

/// A chunk on its way, and all chunks before it.
template <class R>
struct Moments : Deviations<R> {
  using Deviations<R>::shift, Deviations<R>::sum, Deviations<R>::squares, Deviations<R>::elements;
  int count = 0;  // elements in the two below
  double m2 = 0;
  Centre<R> centre;

  /// `full`: the number of elements of most chunks, a power of two.
  CUPRUM_DEVICE void flush(int full) {
    if (elements == 0) return;
    const double n = elements, total = sum;
    const double part = elements == full ? total * (1.0 / full) : total / n;
    const double corrected = static_cast<double>(squares) - total * part;
    const Spread<R> chunk{n, corrected < 0 ? 0 : corrected, Centre<R>::at(shift, part)};  // a NaN stays
    merge_spread(count, m2, centre, chunk);
    count += elements;
    sum = squares = 0;
    elements = 0;
  }
  CUPRUM_DEVICE Spread<R> spread() const { return Spread<R>{static_cast<double>(count), m2, centre}; }
};

template <class R>
struct RealVariance {
  using Running = Moments<R>;
  using Row = Moments<R>;
  using State = Spread<R>;

  /// One lane, kept for itself: the shift is the first element of each chunk. sum d^2 is at most kChunk times too large,
  /// twice on average, before the correction.
  CUPRUM_DEVICE static void add(Running& r, R value) {
    r.shift = r.elements == 0 ? value : r.shift;
    const R d = value - r.shift;
    r.sum += d;
    r.squares += d * d;
    ++r.elements;
  }
  CUPRUM_DEVICE static void flush(Running& r) { r.flush(kChunk); }

  /// The `count` first of kQuad lanes, in one: the shift is the average of the chunk's first item. The square of its
  /// distance from the mean of the chunk, by which d^2 is too large, is a part of the result. It depends on no other
  /// chunk: different blocks may fold them.
  CUPRUM_DEVICE static void add_item(Row& r, const R (&value)[kQuad], int count) {
    if (r.elements == 0) {
      r.shift = 0;
#pragma unroll
      for (int v = 0; v < kQuad; ++v) r.shift += R(1.0 / kQuad) * (v < count ? value[v] : value[0]);
    }
    R d[kQuad];
#pragma unroll
    for (int v = 0; v < kQuad; ++v) d[v] = v < count ? value[v] - r.shift : R(0);
    r.sum += (d[0] + d[1]) + (d[2] + d[3]);
    r.squares += (d[0] * d[0] + d[1] * d[1]) + (d[2] * d[2] + d[3] * d[3]);
    r.elements += count;
  }
  CUPRUM_DEVICE static void flush_row(Row& r) { r.flush(kChunk * kQuad); }
  using Part = Deviations<R>;
  CUPRUM_DEVICE static Part part(const Row& r) { return r; }
  CUPRUM_DEVICE static void add_part(Row& r, const Part& part) {
    static_cast<Part&>(r) = part;
    flush_row(r);
  }

  CUPRUM_DEVICE static void merge(State& to, const State& from) {
    merge_spread(to.count, to.m2, to.centre, from);
    to.count += from.count;
  }
};

CUPRUM_DEVICE double variance_divisor(int64 count, double ddof) {
  const double d = static_cast<double>(count) - ddof;
  return d < 0 ? 0 : d;
}

template <class T>
struct Variance {
  static constexpr bool kPositions = false;
  using Value = T;
  using Result = T;
  using Real = RealVariance<T>;
  using Running = typename Real::Running;
  using Row = typename Real::Row;
  using State = typename Real::State;

  template <class Position>
  CUPRUM_DEVICE static void add(Running& r, T value, Position) {
    Real::add(r, value);
  }
  CUPRUM_DEVICE static void flush(Running& r) { Real::flush(r); }
  CUPRUM_DEVICE static void add_item(Row& r, const T (&value)[kQuad], int count) {
    Real::add_item(r, value, count);
  }
  CUPRUM_DEVICE static void flush_row(Row& r) { Real::flush_row(r); }
  using Part = typename Real::Part;
  CUPRUM_DEVICE static Part part(const Row& r) { return r; }
  CUPRUM_DEVICE static void add_part(Row& r, const Part& part) { Real::add_part(r, part); }
  CUPRUM_DEVICE static State state(const Running& r) { return r.spread(); }
  CUPRUM_DEVICE static void merge(State& to, const State& from) { Real::merge(to, from); }
  CUPRUM_DEVICE static T finish(const State& s, int64 count, double ddof) {
    return static_cast<T>(s.m2 / variance_divisor(count, ddof));
  }
};

/// A complex operand is two real ones, whose squares are added at the end.
template <class R>
struct Variance<kernels::complex<R>> {
  static constexpr bool kPositions = false;
  using Value = kernels::complex<R>;
  using Result = R;
  using Real = RealVariance<R>;
  struct Running {
    typename Real::Running re, im;
  };
  using Row = Running;
  struct State {
    typename Real::State re, im;
  };

  template <class Position>
  CUPRUM_DEVICE static void add(Running& r, Value value, Position) {
    Real::add(r.re, value.re);
    Real::add(r.im, value.im);
  }
  CUPRUM_DEVICE static void flush(Running& r) {
    Real::flush(r.re);
    Real::flush(r.im);
  }
  CUPRUM_DEVICE static void add_item(Row& r, const Value (&value)[kQuad], int count) {
    R re[kQuad], im[kQuad];
#pragma unroll
    for (int v = 0; v < kQuad; ++v) {
      re[v] = value[v].re;
      im[v] = value[v].im;
    }
    Real::add_item(r.re, re, count);
    Real::add_item(r.im, im, count);
  }
  CUPRUM_DEVICE static void flush_row(Row& r) {
    Real::flush_row(r.re);
    Real::flush_row(r.im);
  }
  struct Part {
    typename Real::Part re, im;
  };
  CUPRUM_DEVICE static Part part(const Row& r) { return Part{r.re, r.im}; }
  CUPRUM_DEVICE static void add_part(Row& r, const Part& part) {
    Real::add_part(r.re, part.re);
    Real::add_part(r.im, part.im);
  }
  CUPRUM_DEVICE static State state(const Running& r) { return State{r.re.spread(), r.im.spread()}; }
  CUPRUM_DEVICE static void merge(State& to, const State& from) {
    Real::merge(to.re, from.re);
    Real::merge(to.im, from.im);
  }
  CUPRUM_DEVICE static R finish(const State& s, int64 count, double ddof) {
    return static_cast<R>((s.re.m2 + s.im.m2) / variance_divisor(count, ddof));
  }
};

}  // namespace cuprum::cuda::device
