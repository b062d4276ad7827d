// Stockham's algorithm over vectors: each pass reads one buffer and writes the other, and the results come out in order.
#pragma once

#include "backend/cpu/simd/fft.h"
#include "backend/cpu/simd/fft_vector.h"

namespace cuprum::CUPRUM_SIMD_LEVEL::fft {

// -- Transforms of a few points, in registers.

template <class C>
inline void dft2(C* a) {
  const C t = a[1];
  a[1] = a[0] - t;
  a[0] = a[0] + t;
}

template <class C>
inline void dft4(C* a) {
  const C s = a[0] + a[2], d = a[0] - a[2], t = a[1] + a[3], u = turned(a[1] - a[3]);
  a[0] = s + t;
  a[1] = d + u;
  a[2] = s - t;
  a[3] = d - u;
}

template <class C>
inline void dft8(C* a) {
  using R = typename C::Real;
  constexpr R h = R(0.70710678118654752440084436210484904L);
  C even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
  dft4(even);
  dft4(odd);
  const C o1 = {(odd[1].re + odd[1].im) * h, (odd[1].im - odd[1].re) * h};
  const C o2 = turned(odd[2]);
  const C o3 = {(odd[3].im - odd[3].re) * h, (odd[3].re + odd[3].im) * -h};
  a[0] = even[0] + odd[0];
  a[4] = even[0] - odd[0];
  a[1] = even[1] + o1;
  a[5] = even[1] - o1;
  a[2] = even[2] + o2;
  a[6] = even[2] - o2;
  a[3] = even[3] + o3;
  a[7] = even[3] - o3;
}

/// cos and sin of 2 pi j / r for j = 1 .. (r - 1) / 2.
template <int r>
struct Roots;
template <>
struct Roots<3> {
  static constexpr long double cos[] = {-0.5L};
  static constexpr long double sin[] = {0.866025403784438646763723170752936183L};
};
template <>
struct Roots<5> {
  static constexpr long double cos[] = {0.309016994374947424102293417182819059L,
                                        -0.809016994374947424102293417182819059L};
  static constexpr long double sin[] = {0.951056516295153572116439333379382143L,
                                        0.587785252292473129168705954639072769L};
};
template <>
struct Roots<7> {
  static constexpr long double cos[] = {0.623489801858733530525004884004239811L,
                                        -0.222520933956314404288902564496794759L,
                                        -0.900968867902419126236102319507445051L};
  static constexpr long double sin[] = {0.781831482468029808708444526674057750L,
                                        0.974927912181823607018131682993931217L,
                                        0.433883739117558120475768332848358755L};
};
template <>
struct Roots<11> {
  static constexpr long double cos[] = {
      0.841253532831181168861811648919367718L, 0.415415013001886425529274149229623204L,
      -0.142314838273285140443792668616369669L, -0.654860733945285064056925072466293553L,
      -0.959492973614497389890368057066327699L};
  static constexpr long double sin[] = {
      0.540640817455597582107635954318691695L, 0.909631995354518371411715383079028460L,
      0.989821441880932732376092037776718787L, 0.755749574354258283774035843972344420L,
      0.281732556841429697711417915346616899L};
};
template <>
struct Roots<13> {
  static constexpr long double cos[] = {
      0.885456025653209895900375522015098879L,  0.568064746731155802511807559127516625L,
      0.120536680255323053349067687452543582L,  -0.354604887042535625969637892600018474L,
      -0.748510748171101098634630599701351384L, -0.970941817426052027156982276293789227L};
  static constexpr long double sin[] = {
      0.464723172043768545656015335133104778L, 0.822983865893656394579617423439381991L,
      0.992708874098053992800751649492520179L, 0.935016242685414823439784599837830729L,
      0.663122658240795202376785492666766280L, 0.239315664287557767148753726260211895L};
};

/// An odd number of points: those that lie opposite each other are added and subtracted first, which halves the products.
template <int r, class C>
inline void dft_odd(C* a) {
  using R = typename C::Real;
  constexpr int h = r / 2;
  C sum[h], difference[h];
  C total = a[0];
#pragma GCC unroll 8
  for (int j = 0; j < h; ++j) {
    sum[j] = a[j + 1] + a[r - 1 - j];
    difference[j] = a[j + 1] - a[r - 1 - j];
    total = total + sum[j];
  }
#pragma GCC unroll 8
  for (int k = 1; k <= h; ++k) {
    C even = a[0], odd{};
#pragma GCC unroll 8
    for (int j = 1; j <= h; ++j) {
      const int turn = j * k % r;  // cos is even, sin is odd about half a turn
      const R c = static_cast<R>(Roots<r>::cos[(turn <= h ? turn : r - turn) - 1]);
      const R s = static_cast<R>(turn <= h ? Roots<r>::sin[turn - 1] : -Roots<r>::sin[r - turn - 1]);
      even = {even.re + sum[j - 1].re * c, even.im + sum[j - 1].im * c};
      const C part = {difference[j - 1].re * s, difference[j - 1].im * s};
      odd = j == 1 ? part : odd + part;
    }
    a[k] = even + turned(odd);
    a[r - k] = even - turned(odd);
  }
  a[0] = total;
}

template <int r, class C>
inline void dft(C* a) {
  if constexpr (r == 2)
    dft2(a);
  else if constexpr (r == 4)
    dft4(a);
  else if constexpr (r == 8)
    dft8(a);
  else
    dft_odd<r>(a);
}

// -- Passes.

/// The butterflies that share their twiddles `w`; the first ones have none.
template <int r, bool twiddled, class C>
inline void butterflies(const C* x, C* y, int64_t stride, int64_t apart, const typename C::Real* w) {
  for (int64_t q = 0; q < stride; ++q) {
    C a[r];
#pragma GCC unroll 16
    for (int j = 0; j < r; ++j) a[j] = x[q + apart * j];
    dft<r>(a);
    y[q] = a[0];
#pragma GCC unroll 16
    for (int j = 1; j < r; ++j) {
      if constexpr (twiddled)
        y[q + stride * j] = times(a[j], w[2 * j - 2], w[2 * j - 1]);
      else
        y[q + stride * j] = a[j];
    }
  }
}

template <int r, class C>
void run_pass(const FftPass& pass, const C* x, C* y) {
  const int64_t stride = pass.stride, m = pass.butterflies;
  butterflies<r, false>(x, y, stride, stride * m, nullptr);
  const auto* w = static_cast<const typename C::Real*>(pass.twiddles);
  for (int64_t p = 1; p < m; ++p)
    butterflies<r, true>(x + stride * p, y + stride * r * p, stride, stride * m, w + 2 * (r - 1) * p);
}

/// Any odd radix: the sums and differences lie in memory, at `spare`.
template <class C>
void run_any_pass(const FftPass& pass, const C* x, C* y, C* spare) {
  using R = typename C::Real;
  const int64_t r = pass.radix, h = r / 2, stride = pass.stride, m = pass.butterflies;
  const auto* w = static_cast<const R*>(pass.twiddles);
  const auto* cosines = static_cast<const R*>(pass.roots);
  const R* sines = cosines + r;
  C *sum = spare, *difference = spare + h + 1;
  for (int64_t p = 0; p < m; ++p) {
    for (int64_t q = 0; q < stride; ++q) {
      const C* from = x + q + stride * p;
      C* to = y + q + stride * r * p;
      C total = from[0];
      for (int64_t j = 1; j <= h; ++j) {
        const C a = from[stride * m * j], b = from[stride * m * (r - j)];
        sum[j] = a + b;
        difference[j] = a - b;
        total = total + sum[j];
      }
      to[0] = total;
      for (int64_t k = 1; k <= h; ++k) {
        C even = from[0], odd{};
        int64_t turn = 0;
        for (int64_t j = 1; j <= h; ++j) {
          turn += k;
          if (turn >= r) turn -= r;
          even = {even.re + sum[j].re * cosines[turn], even.im + sum[j].im * cosines[turn]};
          odd = {odd.re + difference[j].re * sines[turn], odd.im + difference[j].im * sines[turn]};
        }
        const C ahead = even + turned(odd), behind = even - turned(odd);
        const R *wa = w + 2 * ((r - 1) * p + k - 1), *wb = w + 2 * ((r - 1) * p + r - k - 1);
        to[stride * k] = p ? times(ahead, wa[0], wa[1]) : ahead;
        to[stride * (r - k)] = p ? times(behind, wb[0], wb[1]) : behind;
      }
    }
  }
}

/// Vectors between two buffers whose length may be a power of two: a load that follows a store to an address 4096 bytes away waits
/// for it (2048 points, float32: 5.0 us without, 3.0 with).
inline constexpr int kApart = 5;

/// Transforms the vectors at `x`; the result is at `x` or at `y`. `spare` has room for kFftSpare vectors.
template <class C>
C* run_line(const FftLine& line, C* x, C* y, C* spare) {
  for (int k = 0; k < line.passes; ++k) {
    const FftPass& pass = line.pass[k];
    switch (pass.roots ? 0 : pass.radix) {
      case 2: run_pass<2>(pass, x, y); break;
      case 3: run_pass<3>(pass, x, y); break;
      case 4: run_pass<4>(pass, x, y); break;
      case 5: run_pass<5>(pass, x, y); break;
      case 7: run_pass<7>(pass, x, y); break;
      case 8: run_pass<8>(pass, x, y); break;
      case 11: run_pass<11>(pass, x, y); break;
      case 13: run_pass<13>(pass, x, y); break;
      default: run_any_pass(pass, x, y, spare);
    }
    C* const t = x;
    x = y;
    y = t;
  }
  return x;
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL::fft
