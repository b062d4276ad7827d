// Rows in, lines through fft_line.h, rows out.
#include "backend/cpu/simd/fft.h"

#include "backend/cpu/simd/fft_line.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace fft {

template <class C>
inline C swapped_if(bool swap, const C& c) {
  return swap ? C{c.im, c.re} : c;
}
template <class C>
inline C scaled(const C& c, typename C::Real scale) {
  return {c.re * scale, c.im * scale};
}

// -- The lanes are rows.

/// A row of n pairs is one of 2 n numbers, and what a line works on is the transposed matrix of them.
template <class R, int lanes>
struct RowBlock {
  using C = Complex<R, lanes>;
  using V = typename C::V;

  const FftLine& line;
  const FftJob& job;
  C* work;

  void run(int64_t first) const {
    C *const x = work, *const y = work + line.n + kApart;
    const int64_t last = job.count - 1;
    const R* from[lanes];
    R* to[lanes];
    for (int i = 0; i < lanes; ++i) {  // lanes without a row repeat the last one
      const int64_t row = first + i < last ? first + i : last;
      from[i] = static_cast<const R*>(job.in) + row * job.in_step;
      to[i] = static_cast<R*>(job.out) + row * job.out_step;
    }
    job.reals ? read<2>(from, reinterpret_cast<V*>(x)) : read<1>(from, reinterpret_cast<V*>(x));
    const C* result = run_line(line, x, y, y + line.n);
    write(reinterpret_cast<const V*>(result), to);
  }

 private:
  /// `apart`: numbers of a line for one in memory; of reals the second one is zero.
  template <int apart>
  void read(const R* const* from, V* x) const {
    const int64_t numbers = 2 * line.n / apart, swap = job.backward;
    if constexpr (apart == 2) {
      for (int64_t t = 0; t < numbers; ++t) x[(2 * t + 1) ^ swap] = V{};
    }
    int64_t t = 0;
    if constexpr (lanes > 1) {
      for (; t + lanes <= numbers; t += lanes) {
        V rows[lanes];
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) rows[i] = load<V>(from[i] + t);
        transpose<lanes>(rows);
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) x[((t + i) * apart) ^ swap] = rows[i];
      }
    }
    for (; t < numbers; ++t) {
      R* const to = reinterpret_cast<R*>(x + ((t * apart) ^ swap));
      for (int i = 0; i < lanes; ++i) to[i] = from[i][t];
    }
  }

  void write(const V* x, R* const* to) const {
    const int64_t numbers = 2 * line.n, swap = job.backward;
    const R scale = static_cast<R>(job.scale);
    int64_t t = 0;
    if constexpr (lanes > 1) {
      for (; t + lanes <= numbers; t += lanes) {
        V rows[lanes];
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) rows[i] = x[(t + i) ^ swap] * scale;
        transpose<lanes>(rows);
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) store(to[i] + t, rows[i]);
      }
    }
    for (; t < numbers; ++t) {
      const V v = x[t ^ swap] * scale;
      for (int i = 0; i < lanes; ++i) to[i][t] = reinterpret_cast<const R*>(&v)[i];
    }
  }
};

template <class R>
void rows(const FftLine& line, const FftJob& job, void* work) {
  constexpr int lanes = kLanes<R>;
  int64_t row = 0;
  while (job.count - row > 1) {
    RowBlock<R, lanes>{line, job, static_cast<Complex<R, lanes>*>(work)}.run(row);
    row += lanes;
  }
  if (row < job.count) RowBlock<R, 1>{line, job, static_cast<Complex<R, 1>*>(work)}.run(row);
}

// -- The lanes are columns, then rows, of a matrix.

template <class R, int lanes>
struct Split {
  using C = Complex<R, lanes>;
  using V = typename C::V;

  const FftSplit& split;
  const FftJob& job;
  C* between;
  C* work;
  int64_t n1 = split.columns.n, n2 = split.rows.n;

  void columns(int64_t block) const {
    const int64_t j = block * lanes;
    const int count = static_cast<int>(n2 - j < lanes ? n2 - j : lanes);
    const int64_t numbers = job.reals ? 1 : 2;  // of a point
    const R* from = static_cast<const R*>(job.in) + numbers * j;
    // A register that has more lanes than there are columns left reads on, into the next row, as long as there is one.
    const int64_t whole = whole_rows(n2, j, n1);
    for (int64_t i = 0; i < whole; ++i, from += numbers * n2)
      work[i] = swapped_if(job.backward, job.reals ? load_reals<C>(from) : load_pairs<C>(from));
    for (int64_t i = whole; i < n1; ++i, from += numbers * n2)
      work[i] =
          swapped_if(job.backward, job.reals ? load_some_reals<C>(from, count) : load_some<C>(from, count));
    C* const other = work + n1 + kApart;
    turn(run_line(split.columns, work, other, other + n1), j, count);
  }

  /// Times the roots of unity, transposed to where the second step wants it.
  void turn(const C* from, int64_t j, int count) const {
    const int64_t chunk = j / kFftNear;
    const R* far = split.far ? static_cast<const R*>(split.far) + 2 * chunk * n1 : nullptr;
    const R* near = static_cast<const R*>(split.near) + (far ? 0 : chunk * n1 * 2 * kFftNear) + j % kFftNear;
    for (int64_t k = 0; k < n1; k += lanes) {
      V re[lanes], im[lanes];
      const int64_t some = n1 - k < lanes ? n1 - k : lanes;
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) {
        C c{};
        if (i < some) {
          const R* w = near + (k + i) * 2 * kFftNear;
          C root = {load<V>(w), load<V>(w + kFftNear)};
          if (far) root = times(root, far[2 * (k + i)], far[2 * (k + i) + 1]);
          c = times(from[k + i], root);
        }
        re[i] = c.re;
        im[i] = c.im;
      }
      transpose<lanes>(re);
      transpose<lanes>(im);
      C* const to = between + k / lanes * n2 + j;
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) {
        if (i < count) to[i] = {re[i], im[i]};
      }
    }
  }

  /// `alone`: the blocks before this one are written behind it, by the same thread.
  void rows(int64_t block, bool alone) const {
    C* const other = work + kApart;
    const C* x = run_line(split.rows, between + block * n2, other, other + n2);
    const int64_t k = block * lanes;
    const int count = static_cast<int>(n1 - k < lanes ? n1 - k : lanes);
    const R scale = static_cast<R>(job.scale);
    R* to = static_cast<R*>(job.out) + 2 * k;
    // Likewise a register writes on into the next row, whose first columns come later.
    const int64_t whole = count == lanes ? n2 : alone ? whole_rows(n1, k, n2) : 0;
    for (int64_t i = 0; i < whole; ++i, to += 2 * n1)
      store_pairs(to, swapped_if(job.backward, scaled(x[i], scale)));
    for (int64_t i = whole; i < n2; ++i, to += 2 * n1)
      store_some(to, swapped_if(job.backward, scaled(x[i], scale)), count);
  }

 private:
  /// Of `count` rows of `length` points, those from whose column `first` on there are as many points as lanes.
  static int64_t whole_rows(int64_t length, int64_t first, int64_t count) {
    const int64_t room = length * count - first - lanes;
    return room < 0 ? 0 : room / length + 1;
  }
};

/// Calls f with the Split of the plan's precision and lanes.
template <class R, class F>
void with_lanes(const FftSplit& split, const FftJob& job, void* between, void* work, F&& f) {
  const auto run = [&]<int lanes>(Indices<lanes>) {
    using C = Complex<R, lanes>;
    f(Split<R, lanes>{split, job, static_cast<C*>(between), static_cast<C*>(work)});
  };
  split.lanes == kLanes<R> ? run(Indices<kLanes<R>>{}) : run(Indices<kLanes<R> / 2>{});
}
template <class F>
void with_split(bool wide, const FftSplit& split, const FftJob& job, void* between, void* work, F&& f) {
  wide ? with_lanes<double>(split, job, between, work, f) : with_lanes<float>(split, job, between, work, f);
}

// -- Point by point.

template <class C>
inline void multiply_at(const typename C::Real* a, const typename C::Real* b, typename C::Real* out,
                        bool backward, bool swapped, typename C::Real scale) {
  const C product = times(swapped_if(backward, load_pairs<C>(a)), load_pairs<C>(b));
  store_pairs(out, swapped_if(swapped, scaled(product, scale)));
}

template <class R>
void multiply(int64_t n, const void* a, const void* b, void* out, bool backward, bool swapped, double scale) {
  constexpr int lanes = kLanes<R>;
  const auto *x = static_cast<const R*>(a), *y = static_cast<const R*>(b);
  auto* to = static_cast<R*>(out);
  int64_t k = 0;
  for (; k + lanes <= n; k += lanes)
    multiply_at<Complex<R, lanes>>(x + 2 * k, y + 2 * k, to + 2 * k, backward, swapped,
                                   static_cast<R>(scale));
  for (; k < n; ++k)
    multiply_at<Complex<R, 1>>(x + 2 * k, y + 2 * k, to + 2 * k, backward, swapped, static_cast<R>(scale));
}

/// The transform of reals from that of their pairs: `a` at k and `b` at n - k.
template <class R>
struct Unzip {
  R half, sign;
  template <class C>
  void operator()(C& a, C& b, const C& w) const {
    const C even = {(a.re + b.re) * half, (a.im - b.im) * half};
    const C odd = times(C{(a.im + b.im) * half, (b.re - a.re) * half}, w);
    a = {even.re + odd.re, (even.im + odd.im) * sign};
    b = {even.re - odd.re, (odd.im - even.im) * sign};
  }
};
template <class R>
struct Zip {
  R sign;
  template <class C>
  void operator()(C& a, C& b, const C& w) const {
    const C even = {a.re + b.re, (a.im - b.im) * sign};
    const C odd = times(C{a.re - b.re, (a.im + b.im) * sign}, C{w.re, -w.im});
    a = {even.re - odd.im, even.im + odd.re};
    b = {even.re + odd.im, odd.re - even.im};
  }
};

/// Calls f with the points at k and at n - k, for k in [begin, end), and writes what it makes of them.
template <class R, class F>
void each_pair(int64_t n, const R* in, R* out, const R* roots, int64_t begin, int64_t end, F&& f) {
  constexpr int lanes = kLanes<R>;
  using C = Complex<R, lanes>;
  using One = Complex<R, 1>;
  int64_t k = begin;
  for (; k + lanes <= end && 2 * (k + lanes - 1) < n; k += lanes) {
    const int64_t other = n - k - (lanes - 1);
    C a = load_pairs<C>(in + 2 * k), b = backwards(load_pairs<C>(in + 2 * other));
    f(a, b, load_pairs<C>(roots + 2 * k));
    store_pairs(out + 2 * k, a);
    store_pairs(out + 2 * other, backwards(b));
  }
  for (; k < end; ++k) {
    One a = load_pairs<One>(in + 2 * k), b = load_pairs<One>(in + 2 * (n - k));
    f(a, b, load_pairs<One>(roots + 2 * k));
    if (2 * k != n) store_pairs(out + 2 * (n - k), b);
    store_pairs(out + 2 * k, a);
  }
}

/// The first point and the one half a turn away are real, whatever rounding would make of them.
template <class R>
void unzip(int64_t n, const R* z, R* out, const R* roots, int64_t begin, int64_t end, double scale,
           bool conjugate) {
  const R whole = static_cast<R>(scale);
  if (begin == 0) {
    const R re = z[0] * whole, im = z[1] * whole;
    out[0] = re + im;
    out[2 * n] = re - im;
    out[1] = out[2 * n + 1] = conjugate ? -R(0) : R(0);
    begin = 1;
  }
  each_pair(n, z, out, roots, begin, end, Unzip<R>{static_cast<R>(scale / 2), R(conjugate ? -1 : 1)});
}

template <class R>
void zip(int64_t n, const R* x, R* z, const R* roots, int64_t begin, int64_t end, bool conjugate) {
  if (begin == 0) {
    const R first = x[0], middle = x[2 * n];
    z[0] = first + middle;
    z[1] = first - middle;
    begin = 1;
  }
  each_pair(n, x, z, roots, begin, end, Zip<R>{R(conjugate ? -1 : 1)});
}

}  // namespace fft

int fft_lanes(bool wide) { return wide ? fft::kLanes<double> : fft::kLanes<float>; }

void fft_rows(bool wide, const FftLine& line, const FftJob& job, void* work) {
  wide ? fft::rows<double>(line, job, work) : fft::rows<float>(line, job, work);
}

void fft_columns(bool wide, const FftSplit& split, const FftJob& job, int64_t begin, int64_t end,
                 void* between, void* work) {
  fft::with_split(wide, split, job, between, work, [&](const auto& s) {
    for (int64_t b = begin; b < end; ++b) s.columns(b);
  });
}

void fft_columns_end(bool wide, const FftSplit& split, const FftJob& job, int64_t begin, int64_t end,
                     void* between, void* work) {
  const bool alone = begin == 0 && end * split.lanes >= split.columns.n;
  fft::with_split(wide, split, job, between, work, [&](const auto& s) {
    for (int64_t b = end; b-- > begin;) s.rows(b, alone);
  });
}

void fft_multiply(bool wide, int64_t n, const void* a, const void* b, void* out, bool backward, bool swapped,
                  double scale) {
  wide ? fft::multiply<double>(n, a, b, out, backward, swapped, scale)
       : fft::multiply<float>(n, a, b, out, backward, swapped, scale);
}

void fft_unzip(bool wide, int64_t n, const void* z, void* out, const void* roots, int64_t begin, int64_t end,
               double scale, bool conjugate) {
  if (wide)
    fft::unzip(n, static_cast<const double*>(z), static_cast<double*>(out), static_cast<const double*>(roots),
               begin, end, scale, conjugate);
  else
    fft::unzip(n, static_cast<const float*>(z), static_cast<float*>(out), static_cast<const float*>(roots),
               begin, end, scale, conjugate);
}

void fft_zip(bool wide, int64_t n, const void* x, void* z, const void* roots, int64_t begin, int64_t end,
             bool conjugate) {
  if (wide)
    fft::zip(n, static_cast<const double*>(x), static_cast<double*>(z), static_cast<const double*>(roots),
             begin, end, conjugate);
  else
    fft::zip(n, static_cast<const float*>(x), static_cast<float*>(z), static_cast<const float*>(roots), begin,
             end, conjugate);
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
