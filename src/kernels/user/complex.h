// complex<T> without a namespace, CuPy's class, for the texts of a program's own kernels. What its functions compute is what the functions
// of arrays compute (src/kernels).
#pragma once

#include "kernels/jit/meanings.h"
#include "kernels/user/parameters.h"
#if __has_include("cuprum_language/machine.h")  // on the CPU
#include <complex>
#endif

template <class T>
struct complex {
  typedef T value_type;
  CUPRUM_FN complex(T re = T(), T im = T()) : re_(re), im_(im) {}
  template <class U>
  CUPRUM_FN complex(const complex<U>& z) : re_(z.real()), im_(z.imag()) {}
#if __has_include("cuprum_language/machine.h")  // on the CPU
  CUPRUM_FN complex(const std::complex<T>& z) : re_(z.real()), im_(z.imag()) {}
  CUPRUM_FN operator std::complex<T>() const { return std::complex<T>(re_, im_); }
#endif
  CUPRUM_FN T real() const { return re_; }
  CUPRUM_FN T imag() const { return im_; }
  CUPRUM_FN void real(T re) { re_ = re; }
  CUPRUM_FN void imag(T im) { im_ = im; }
  template <class U>
  CUPRUM_FN complex& operator+=(const U& o) {
    return *this = complex(*this + o);
  }
  template <class U>
  CUPRUM_FN complex& operator-=(const U& o) {
    return *this = complex(*this - o);
  }
  template <class U>
  CUPRUM_FN complex& operator*=(const U& o) {
    return *this = complex(*this * o);
  }
  template <class U>
  CUPRUM_FN complex& operator/=(const U& o) {
    return *this = complex(*this / o);
  }

 private:
  T re_, im_;
};

template <>
inline constexpr signed char cuprum_language::number_type<complex<float>> = 13;
template <>
inline constexpr signed char cuprum_language::number_type<complex<double>> = 14;

namespace cuprum_complex {

namespace k = cuprum::kernels;

template <class T>
CUPRUM_FN k::complex<T> parts(const complex<T>& z) {
  return {z.real(), z.imag()};
}
template <class T>
CUPRUM_FN complex<T> whole(const k::complex<T>& z) {
  return complex<T>(z.re, z.im);
}

template <class A, class B>
struct Wider {
  typedef decltype(A() + B()) type;
};

template <class T>
inline constexpr bool is_number =
    cuprum_language::number_type<T> >= 0 && cuprum_language::number_type<T> <= 12;
template <bool yes>
struct Only {};
template <>
struct Only<true> {
  typedef int type;
};

template <class T>
CUPRUM_FN complex<T> add(const complex<T>& a, const complex<T>& b) {
  return whole(k::add(parts(a), parts(b)));
}
template <class T>
CUPRUM_FN complex<T> subtract(const complex<T>& a, const complex<T>& b) {
  return whole(k::subtract(parts(a), parts(b)));
}
template <class T>
CUPRUM_FN complex<T> multiply(const complex<T>& a, const complex<T>& b) {
  return whole(k::multiply(parts(a), parts(b)));
}
template <class T>
CUPRUM_FN complex<T> divide(const complex<T>& a, const complex<T>& b) {
  return whole(k::divide(parts(a), parts(b)));
}
template <class T>
CUPRUM_FN bool equal(const complex<T>& a, const complex<T>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <class T>
CUPRUM_FN bool not_equal(const complex<T>& a, const complex<T>& b) {
  return !equal(a, b);
}

}  // namespace cuprum_complex

#define CUPRUM_NUMBER_ONLY(B) typename cuprum_complex::Only<cuprum_complex::is_number<B>>::type = 0
#define CUPRUM_COMPLEX_OPERATOR(sign, function)                            \
  template <class A, class B>                                              \
  CUPRUM_FN auto operator sign(const complex<A>& a, const complex<B>& b) { \
    typedef complex<typename cuprum_complex::Wider<A, B>::type> C;         \
    return cuprum_complex::function(C(a), C(b));                           \
  }                                                                        \
  template <class A, class B, CUPRUM_NUMBER_ONLY(B)>                       \
  CUPRUM_FN auto operator sign(const complex<A>& a, B b) {                 \
    return cuprum_complex::function(a, complex<A>(static_cast<A>(b)));     \
  }                                                                        \
  template <class A, class B, CUPRUM_NUMBER_ONLY(B)>                       \
  CUPRUM_FN auto operator sign(B b, const complex<A>& a) {                 \
    return cuprum_complex::function(complex<A>(static_cast<A>(b)), a);     \
  }
CUPRUM_COMPLEX_OPERATOR(+, add)
CUPRUM_COMPLEX_OPERATOR(-, subtract)
CUPRUM_COMPLEX_OPERATOR(*, multiply)
CUPRUM_COMPLEX_OPERATOR(/, divide)
CUPRUM_COMPLEX_OPERATOR(==, equal)
CUPRUM_COMPLEX_OPERATOR(!=, not_equal)
#undef CUPRUM_COMPLEX_OPERATOR

template <class T>
CUPRUM_FN complex<T> operator+(const complex<T>& z) {
  return z;
}
template <class T>
CUPRUM_FN complex<T> operator-(const complex<T>& z) {
  return complex<T>(-z.real(), -z.imag());
}

#define CUPRUM_COMPLEX_FUNCTION(name, meaning)                                        \
  template <class T>                                                                  \
  CUPRUM_FN complex<T> name(const complex<T>& z) {                                    \
    return cuprum_complex::whole(cuprum::kernels::meaning(cuprum_complex::parts(z))); \
  }
CUPRUM_COMPLEX_FUNCTION(exp, exp)
CUPRUM_COMPLEX_FUNCTION(log, log)
CUPRUM_COMPLEX_FUNCTION(log10, log10)
CUPRUM_COMPLEX_FUNCTION(sqrt, sqrt)
CUPRUM_COMPLEX_FUNCTION(sin, sin)
CUPRUM_COMPLEX_FUNCTION(cos, cos)
CUPRUM_COMPLEX_FUNCTION(tan, tan)
CUPRUM_COMPLEX_FUNCTION(sinh, sinh)
CUPRUM_COMPLEX_FUNCTION(cosh, cosh)
CUPRUM_COMPLEX_FUNCTION(tanh, tanh)
CUPRUM_COMPLEX_FUNCTION(asin, arcsin)
CUPRUM_COMPLEX_FUNCTION(acos, arccos)
CUPRUM_COMPLEX_FUNCTION(atan, arctan)
CUPRUM_COMPLEX_FUNCTION(asinh, arcsinh)
CUPRUM_COMPLEX_FUNCTION(acosh, arccosh)
CUPRUM_COMPLEX_FUNCTION(atanh, arctanh)
CUPRUM_COMPLEX_FUNCTION(conj, conjugate)
#undef CUPRUM_COMPLEX_FUNCTION

template <class T>
CUPRUM_FN T real(const complex<T>& z) {
  return z.real();
}
template <class T>
CUPRUM_FN T imag(const complex<T>& z) {
  return z.imag();
}
template <class T>
CUPRUM_FN T abs(const complex<T>& z) {
  return cuprum::kernels::absolute(cuprum_complex::parts(z));
}
template <class T>
CUPRUM_FN T arg(const complex<T>& z) {
  return atan2(z.imag(), z.real());
}
template <class T>
CUPRUM_FN T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
CUPRUM_FN complex<T> polar(const T& size, const T& angle = T()) {
  return complex<T>(size * cos(angle), size * sin(angle));
}
template <class T>
CUPRUM_FN bool isnan(const complex<T>& z) {
  return z.real() != z.real() || z.imag() != z.imag();
}
template <class T>
CUPRUM_FN bool isfinite(const complex<T>& z) {
  return z.real() - z.real() == T() && z.imag() - z.imag() == T();
}
template <class T>
CUPRUM_FN bool isinf(const complex<T>& z) {
  const auto is = [](T x) { return x == x && x - x != T(); };
  return is(z.real()) || is(z.imag());
}
/// All infinities as one.
template <class T>
CUPRUM_FN complex<T> proj(const complex<T>& z) {
  if (!isinf(z)) return z;
  const T large = isinf(complex<T>(z.real())) ? z.real() : z.imag();
  return complex<T>(large < T() ? -large : large, z.imag() < T() || 1 / z.imag() < T() ? -T() : T());
}

template <class A, class B>
CUPRUM_FN auto pow(const complex<A>& a, const complex<B>& b) {
  typedef complex<typename cuprum_complex::Wider<A, B>::type> C;
  return cuprum_complex::whole(
      cuprum::kernels::power(cuprum_complex::parts(C(a)), cuprum_complex::parts(C(b))));
}
template <class A, class B, CUPRUM_NUMBER_ONLY(B)>
CUPRUM_FN complex<A> pow(const complex<A>& a, B b) {
  return pow(a, complex<A>(static_cast<A>(b)));
}
template <class A, class B, CUPRUM_NUMBER_ONLY(B)>
CUPRUM_FN complex<A> pow(B b, const complex<A>& a) {
  return pow(complex<A>(static_cast<A>(b)), a);
}
#undef CUPRUM_NUMBER_ONLY
