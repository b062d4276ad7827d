// The variance in one pass over memory: each block gives its mean and its sum of squared deviations, in double precision, and
// blocks are merged by Chan's formula. Within a block deviations are taken from a value near the block's mean, the shift, which
// is exact where it matters (mean much larger than deviation), and what the shift has missed is put right:
//   squares = sum d^2 - (sum d)^2 / n,  mean = shift + sum d / n.
// Of double operands a state keeps the two terms of the mean apart. Their sum would lose the digits that the differences of
// means are made of: 7 of 16 for numbers around 1e9 with a deviation of 1.
// A narrow block is read twice, from the cache, with its rounded mean as shift. A wide one takes its first row as shift:
// sum d^2 is then at most 16 times too large, twice on average, before the correction.
// A complex operand is two real ones; their squares are added at the end.
#include "backend/cpu/simd/reduce_lanes.h"
#include "kernels/arithmetic.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

struct Add : Sum {
  template <class T>
  CUPRUM_FN T operator()(T a, T b) const {
    return kernels::add(a, b);
  }
};

/// The planes of a state: the mean of its elements, or how far it is from a shift, and the sum of their squared deviations.
template <class T>
struct Moments {
  static constexpr bool kShifted = sizeof(T) == sizeof(double);
  static constexpr int kPlanes = kShifted ? 3 : 2;
  double *mean, *m2, *shift;

  explicit Moments(const States& states)
      : mean(plane<double>(states, 0)), m2(plane<double>(states, 1)), shift(plane<double>(states, 2)) {}

  /// State i from its sums of n deviations from `from`.
  CUPRUM_FN void set(int64 i, double n, double from, double sum, double squares) const {
    if constexpr (kShifted) {
      shift[i] = from;
      mean[i] = sum / n;
    } else {
      mean[i] = from + sum / n;
    }
    const double corrected = squares - sum * sum / n;
    m2[i] = corrected < 0 ? 0 : corrected;  // a NaN stays
  }
  /// How far the mean of state i is from that of the same state of another.
  CUPRUM_FN double distance(int64 i, const Moments& other) const {
    if constexpr (kShifted) return (shift[i] - other.shift[i]) + (mean[i] - other.mean[i]);
    return mean[i] - other.mean[i];
  }
  void advance(int64 n) {
    mean += n;
    m2 += n;
    shift += n;
  }
};

/// The sums of d and d^2 of one column of n >= kLanes elements. A few registers of lanes at a time: the sums of all lanes are more
/// than AVX2 has registers for, and the block is in the cache.
template <class T>
CUPRUM_FN void deviations(int64 n, const T* p, T shift, T* sum, T* squares) {
  constexpr int lanes = kLanes<T>, size = kRegisterBytes / sizeof(T);
  constexpr int some = lanes / size < 4 ? lanes / size : 4;
  alignas(64) T lane1[lanes], lane2[lanes];
  const int64 whole = n / lanes * lanes;
  for (int first = 0; first < lanes; first += some * size) {
    Register<T> s1[some], s2[some], x;
#pragma GCC unroll 4
    for (int k = 0; k < some; ++k) {
      __builtin_memcpy(&x, p + first + k * size, sizeof x);
      s1[k] = x - shift;
      s2[k] = s1[k] * s1[k];
    }
    for (int64 at = lanes; at < whole; at += lanes) {
#pragma GCC unroll 4
      for (int k = 0; k < some; ++k) {
        __builtin_memcpy(&x, p + at + first + k * size, sizeof x);
        x = x - shift;
        s1[k] = s1[k] + x;
        s2[k] = s2[k] + x * x;
      }
    }
    __builtin_memcpy(lane1 + first, s1, sizeof s1);
    __builtin_memcpy(lane2 + first, s2, sizeof s2);
  }
  for (int64 k = 0; whole + k < n; ++k) {
    const T d = p[whole + k] - shift;
    lane1[k] += d;
    lane2[k] += d * d;
  }
  *sum = add_lanes<lanes>(lane1);
  *squares = add_lanes<lanes>(lane2);
}

template <class T>
void variance_columns(int64 rows, int64 cols, int64 groups, const T* p, const Moments<T>& to) {
  const int64 n = rows * cols, width = groups * cols;
  const int64 present = n < width ? n : width;
  alignas(64) T shift[kMaxLanes], lane1[kMaxLanes], lane2[kMaxLanes];
  fold_columns<Add>(rows, cols, groups, p, shift);
  for (int64 c = 0; c < cols; ++c) shift[c] /= static_cast<T>(rows);
  for (int64 i = cols; i < present; ++i) shift[i] = shift[i - cols];
  for (int64 i = 0; i < present; ++i) {
    lane1[i] = p[i] - shift[i];
    lane2[i] = lane1[i] * lane1[i];
  }
  for (int64 at = width; at < n; at += width) {
    const int64 end = n - at < width ? n - at : width;
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < end; ++i) {
      const T d = p[at + i] - shift[i];
      lane1[i] += d;
      lane2[i] += d * d;
    }
  }
  fold_groups<Add>(groups, cols, present, lane1);
  fold_groups<Add>(groups, cols, present, lane2);
  const double count = static_cast<double>(rows);
  for (int64 c = 0; c < cols; ++c) to.set(c, count, shift[c], lane1[c], lane2[c]);
}

/// Many short columns, one after the other: all of them are folded by one call.
template <class T>
void variance_short_columns(int64 pieces, int64 rows, const T* p, const Moments<T>& to) {
  constexpr int64 buffered = 512;
  T shift[buffered], sum[buffered], squares[buffered], d[buffered], d2[buffered];
  const int64 step = buffered / rows;
  for (int64 begin = 0; begin < pieces; begin += step) {
    const int64 some = pieces - begin < step ? pieces - begin : step;
    narrow_column<Add>(some, rows, p, shift);
    for (int64 i = 0; i < some; ++i) {
      shift[i] /= static_cast<T>(rows);
      for (int64 r = 0; r < rows; ++r) {
        const T x = p[i * rows + r] - shift[i];
        d[i * rows + r] = x;
        d2[i * rows + r] = x * x;
      }
    }
    narrow_column<Add>(some, rows, d, sum);
    narrow_column<Add>(some, rows, d2, squares);
    for (int64 i = 0; i < some; ++i) {
      to.set(begin + i, static_cast<double>(rows), shift[i], sum[i], squares[i]);
    }
    p += some * rows;
  }
}

template <class T>
void narrow_variance(const NarrowBlocks& b) {
  const T* p = static_cast<const T*>(b.src);
  Moments<T> to(b.to);
  if (b.cols == 1 && b.rows < kLanes<T>) return variance_short_columns(b.pieces, b.rows, p, to);
  const int64 groups = groups_of<T>(b.groups);
  for (int64 i = 0; i < b.pieces; ++i) {
    if (b.cols == 1) {
      const T shift = fold_column<Add>(b.rows, p) / static_cast<T>(b.rows);
      T sum, squares;
      deviations(b.rows, p, shift, &sum, &squares);
      to.set(0, static_cast<double>(b.rows), shift, sum, squares);
    } else {
      variance_columns(b.rows, b.cols, groups, p, to);
    }
    p += b.rows * b.cols;
    to.advance(b.cols);
  }
}

// A wide block, while it is read: planes of T with the shift, sum d and sum d^2.
template <class T>
void wide_variance(const WideRows& w) {
  T *shift = plane<T>(w.to, 0), *sum = plane<T>(w.to, 1), *squares = plane<T>(w.to, 2);
  int64 r = 0;
  if (w.first) {
    const T* x = row_of<T>(w, 0);
    for (int64 i = 0; i < w.cols; ++i) {
      shift[i] = x[i];
      sum[i] = squares[i] = x[i] - x[i];  // 0, or NaN for an infinity
    }
    r = 1;
  }
  for (; r + 2 <= w.rows; r += 2) {
    const T *x = row_of<T>(w, r), *y = row_of<T>(w, r + 1);
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < w.cols; ++i) {
      const T d = x[i] - shift[i], e = y[i] - shift[i];
      sum[i] = (sum[i] + d) + e;
      squares[i] = (squares[i] + d * d) + e * e;
    }
  }
  for (; r < w.rows; ++r) {
    const T* x = row_of<T>(w, r);
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < w.cols; ++i) {
      const T d = x[i] - shift[i];
      sum[i] += d;
      squares[i] += d * d;
    }
  }
}

template <class T>
void end_wide_variance(int64 n, const States& read, int64 rows, const int64*, const States& to) {
  const T *shift = plane<T>(read, 0), *sum = plane<T>(read, 1), *squares = plane<T>(read, 2);
  const Moments<T> moments(to);
  const double count = static_cast<double>(rows);
  CUPRUM_VECTORIZE
  for (int64 i = 0; i < n; ++i) moments.set(i, count, shift[i], sum[i], squares[i]);
}

template <class T>
void merge_variance(int64 n, const States& to, int64 to_count, const States& from, int64 from_count) {
  const Moments<T> x(to), y(from);
  const double a = static_cast<double>(to_count), b = static_cast<double>(from_count);
  const double share = b / (a + b), between = a * share;
  CUPRUM_VECTORIZE
  for (int64 i = 0; i < n; ++i) {
    const double delta = y.distance(i, x);
    x.mean[i] += delta * share;
    x.m2[i] += y.m2[i] + delta * delta * between;
  }
}

CUPRUM_FN double divisor(int64 count, double ddof) {
  const double d = static_cast<double>(count) - ddof;
  return d < 0 ? 0 : d;
}

template <class T>
void finish_variance(int64 n, const States& states, int64 count, double ddof, void* to) {
  const double* m2 = plane<double>(states, 1);
  const double by = divisor(count, ddof);
  for (int64 i = 0; i < n; ++i) static_cast<T*>(to)[i] = static_cast<T>(m2[i] / by);
}

template <class T>
void narrow_complex(const NarrowBlocks& b) {
  narrow_variance<T>(as_reals(b));
}
template <class T>
void wide_complex(const WideRows& w) {
  wide_variance<T>(as_reals(w));
}
template <class T>
void end_wide_complex(int64 n, const States& read, int64 rows, const int64*, const States& to) {
  end_wide_variance<T>(2 * n, as_reals(read), rows, nullptr, as_reals(to));
}
template <class T>
void merge_complex(int64 n, const States& to, int64 to_count, const States& from, int64 from_count) {
  merge_variance<T>(2 * n, as_reals(to), to_count, as_reals(from), from_count);
}
template <class T>
void finish_complex(int64 n, const States& states, int64 count, double ddof, void* to) {
  const double* m2 = plane<double>(as_reals(states), 1);
  const double by = divisor(count, ddof);
  for (int64 i = 0; i < n; ++i) static_cast<T*>(to)[i] = static_cast<T>((m2[2 * i] + m2[2 * i + 1]) / by);
}

template <class T>
ReduceLoops loops_of(dtype result, bool complex) {
  ReduceLoops loops;
  loops.planes = Moments<T>::kPlanes;
  loops.wide_planes = 3;
  for (int p = 0; p < loops.planes; ++p) loops.state_bytes[p] = (complex ? 2 : 1) * sizeof(double);
  loops.result = result;
  loops.narrow = complex ? narrow_complex<T> : narrow_variance<T>;
  loops.wide = complex ? wide_complex<T> : wide_variance<T>;
  loops.end_wide = complex ? end_wide_complex<T> : end_wide_variance<T>;
  loops.merge = complex ? merge_complex<T> : merge_variance<T>;
  loops.finish = complex ? finish_complex<T> : finish_variance<T>;
  return loops;
}

}  // namespace

void add_variance_reductions(ReduceTable& table) {
  auto& row = table.loops[static_cast<int>(ReduceOp::var)];
  row[static_cast<int>(dtype::float32)] = loops_of<float>(dtype::float32, false);
  row[static_cast<int>(dtype::float64)] = loops_of<double>(dtype::float64, false);
  row[static_cast<int>(dtype::complex64)] = loops_of<float>(dtype::float32, true);
  row[static_cast<int>(dtype::complex128)] = loops_of<double>(dtype::float64, true);
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
