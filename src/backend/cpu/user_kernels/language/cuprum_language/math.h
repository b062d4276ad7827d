// CUDA's mathematical functions beyond the C library's, whose names and overloads <math.h> gives.
#pragma once

// The C library's fmin and fmax are calls, which stop a loop from becoming vectors.
#define CUPRUM_EXTREMES(T, suffix)                                                                 \
  extern "C" inline __attribute__((gnu_inline, always_inline)) T fmin##suffix(T a, T b) noexcept { \
    return a != a ? b : b < a ? b : a;                                                             \
  }                                                                                                \
  extern "C" inline __attribute__((gnu_inline, always_inline)) T fmax##suffix(T a, T b) noexcept { \
    return a != a ? b : a < b ? b : a;                                                             \
  }
CUPRUM_EXTREMES(float, f)
CUPRUM_EXTREMES(double, )
#undef CUPRUM_EXTREMES

// min and max of CUDA: of one type, or of a signed and an unsigned number, which are taken as unsigned.
#define CUPRUM_MIN_MAX(R, A, B)                                                           \
  inline constexpr R min(A a, B b) {                                                      \
    return static_cast<R>(b) < static_cast<R>(a) ? static_cast<R>(b) : static_cast<R>(a); \
  }                                                                                       \
  inline constexpr R max(A a, B b) {                                                      \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); \
  }
#define CUPRUM_MIN_MAX_SIZE(S, U) \
  CUPRUM_MIN_MAX(S, S, S)         \
  CUPRUM_MIN_MAX(U, U, U)         \
  CUPRUM_MIN_MAX(U, S, U)         \
  CUPRUM_MIN_MAX(U, U, S)
CUPRUM_MIN_MAX_SIZE(int, unsigned int)
CUPRUM_MIN_MAX_SIZE(long, unsigned long)
CUPRUM_MIN_MAX_SIZE(long long, unsigned long long)
#undef CUPRUM_MIN_MAX_SIZE
#undef CUPRUM_MIN_MAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

namespace cuprum_language {

inline constexpr double kPi = 3.14159265358979323846, kSqrt2 = 1.41421356237309504880;

/// sin and cos of pi * x, exact in the reduction.
template <class T>
inline T sin_pi(T x) {
  const T part = x - 2 * __builtin_floor(x / 2);  // [0, 2)
  if (part == 0 || part == 1) return x == x && x - x == 0 ? __builtin_copysign(T(0), x) : x - x;
  return static_cast<T>(part <= T(0.25)   ? sin(kPi * part)
                        : part < T(0.75)  ? cos(kPi * (0.5 - part))
                        : part <= T(1.25) ? sin(kPi * (1.0 - part))
                        : part < T(1.75)  ? -cos(kPi * (1.5 - part))
                                          : sin(kPi * (part - 2.0)));
}
template <class T>
inline T cos_pi(T x) {
  return sin_pi(static_cast<T>(__builtin_fabs(x) - 2 * __builtin_floor(__builtin_fabs(x) / 2) + T(0.5)));
}

/// The inverse of erfc on (0, 2), by Newton's steps on log(erfc), which converge from the tail's approximation everywhere.
inline double erfc_inverse(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0) return __builtin_inf();
  if (y == 2) return -__builtin_inf();
  if (y > 1) return -erfc_inverse(2 - y);
  const double tail = -log(y * sqrt(kPi));
  double x = y > 0.5 ? (1 - y) * sqrt(kPi) / 2 : sqrt(fmax(tail - 0.5 * log(fmax(tail, 0.5)), 0.05));
  for (int i = 0; i < 8; ++i) {
    const double value = erfc(x), slope = -2 / sqrt(kPi) * exp(-x * x);
    const double step = log(value / y) * value / slope;
    x -= step;
    if (__builtin_fabs(step) <= 1e-16 * __builtin_fabs(x)) break;
  }
  return x;
}
inline double erf_inverse(double y) {
  if (__builtin_fabs(y) > 0.5) return y > 0 ? erfc_inverse(1 - y) : -erfc_inverse(1 + y);
  double x = y * sqrt(kPi) / 2;
  for (int i = 0; i < 6; ++i) x -= (erf(x) - y) / (2 / sqrt(kPi) * exp(-x * x));
  return x;
}
/// exp(x * x) * erfc(x): directly, and by the continued fraction where that would overflow.
inline double erfc_scaled(double x) {
  if (x < 20) return exp(x * x) * erfc(x);
  double fraction = 0;
  for (int i = 30; i > 0; --i) fraction = i * 0.5 / (x + fraction);
  return 1 / (sqrt(kPi) * (x + fraction));
}
/// Modified Bessel functions by their series, whose terms are all positive.
inline double bessel_i(int order, double x) {
  double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 2000 && __builtin_fabs(term) > 1e-17 * __builtin_fabs(sum); ++k)
    sum += term *= x * x / 4 / (static_cast<double>(k) * (k + order));
  return sum;
}
template <class T>
inline T norm(int count, const T* values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<double>(values[i]) * values[i];
  return static_cast<T>(sqrt(sum));
}

}  // namespace cuprum_language

// Each function for doubles, for floats by its name with f, and, as CUDA's overload, for floats by the same name.
#define CUPRUM_MATH_1(name, expression)                                    \
  inline double name(double x) { return static_cast<double>(expression); } \
  inline float name##f(float y) {                                          \
    const double x = y;                                                    \
    return static_cast<float>(expression);                                 \
  }                                                                        \
  inline float name(float x) { return name##f(x); }
CUPRUM_MATH_1(rcbrt, 1 / cbrt(x))
CUPRUM_MATH_1(sinpi, cuprum_language::sin_pi(x))
CUPRUM_MATH_1(cospi, cuprum_language::cos_pi(x))
CUPRUM_MATH_1(erfinv, cuprum_language::erf_inverse(x))
CUPRUM_MATH_1(erfcinv, cuprum_language::erfc_inverse(x))
CUPRUM_MATH_1(erfcx, cuprum_language::erfc_scaled(x))
CUPRUM_MATH_1(normcdf, 0.5 * erfc(-x / cuprum_language::kSqrt2))
CUPRUM_MATH_1(normcdfinv, -cuprum_language::kSqrt2* cuprum_language::erfc_inverse(2 * x))
CUPRUM_MATH_1(cyl_bessel_i0, cuprum_language::bessel_i(0, x))
CUPRUM_MATH_1(cyl_bessel_i1, cuprum_language::bessel_i(1, x))
#undef CUPRUM_MATH_1
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float exp10(float x) { return exp10f(x); }
inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
inline void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
inline float fdividef(float a, float b) { return a / b; }
inline float fdivide(float a, float b) { return a / b; }
inline double fdivide(double a, double b) { return a / b; }

#define CUPRUM_NORMS(T, suffix, root)                                                         \
  inline T norm3d##suffix(T a, T b, T c) { return root(a * a + b * b + c * c); }              \
  inline T norm4d##suffix(T a, T b, T c, T d) { return root(a * a + b * b + c * c + d * d); } \
  inline T rnorm3d##suffix(T a, T b, T c) { return 1 / norm3d##suffix(a, b, c); }             \
  inline T rnorm4d##suffix(T a, T b, T c, T d) { return 1 / norm4d##suffix(a, b, c, d); }     \
  inline T rhypot##suffix(T a, T b) { return 1 / hypot(a, b); }                               \
  inline T norm##suffix(int n, const T* v) { return cuprum_language::norm(n, v); }            \
  inline T rnorm##suffix(int n, const T* v) { return 1 / cuprum_language::norm(n, v); }
CUPRUM_NORMS(double, , sqrt)
CUPRUM_NORMS(float, f, sqrtf)
#undef CUPRUM_NORMS
inline float rhypot(float a, float b) { return rhypotf(a, b); }

// Functions that a GPU has in hardware: here as precise as any.
#define CUPRUM_FAST_1(name) \
  inline float __##name(float x) { return name(x); }
CUPRUM_FAST_1(sinf)
CUPRUM_FAST_1(cosf)
CUPRUM_FAST_1(tanf)
CUPRUM_FAST_1(expf)
CUPRUM_FAST_1(exp10f)
CUPRUM_FAST_1(logf)
CUPRUM_FAST_1(log2f)
CUPRUM_FAST_1(log10f)
CUPRUM_FAST_1(tanhf)
#undef CUPRUM_FAST_1
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float a, float b) { return a / b; }
inline void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
inline float saturate(float x) { return __saturatef(x); }
inline int __signbitf(float x) { return __builtin_signbitf(x) != 0; }
inline int __signbitd(double x) { return __builtin_signbit(x) != 0; }
inline int __isnan(double x) { return x != x; }
inline int __finitef(float x) { return __builtin_isfinite(x); }

// -- Arithmetic that is rounded as its name says and never contracted. The directed kinds set the processor's rounding.
namespace cuprum_language {

template <class T>
inline T opaque(T x) {
  __asm__ volatile("" : "+m"(x));
  return x;
}
template <class T, class F>
inline __attribute__((noinline)) T with_rounding(int mode, F operation, T a, T b, T c) {
  const int before = fegetround();
  fesetround(mode);
  const T result = opaque(operation(opaque(a), opaque(b), opaque(c)));
  fesetround(before);
  return result;
}

}  // namespace cuprum_language

#define CUPRUM_ROUNDED(name, T, parameters, arguments, expression)                                           \
  inline T name##_rn parameters {                                                                            \
    return [](T a, T b, T c) { return cuprum_language::opaque(static_cast<T>(expression)); } arguments;      \
  }                                                                                                          \
  inline T name##_rz parameters {                                                                            \
    return CUPRUM_DIRECTED(FE_TOWARDZERO, T, expression, CUPRUM_LIST arguments);                             \
  }                                                                                                          \
  inline T name##_ru parameters { return CUPRUM_DIRECTED(FE_UPWARD, T, expression, CUPRUM_LIST arguments); } \
  inline T name##_rd parameters { return CUPRUM_DIRECTED(FE_DOWNWARD, T, expression, CUPRUM_LIST arguments); }
#define CUPRUM_LIST(...) __VA_ARGS__
#define CUPRUM_DIRECTED(mode, T, expression, ...) \
  cuprum_language::with_rounding<T>(              \
      mode, [](T a, T b, T c) { return static_cast<T>(expression); }, __VA_ARGS__)
CUPRUM_ROUNDED(__fadd, float, (float x, float y), (x, y, 0), a + b)
CUPRUM_ROUNDED(__fsub, float, (float x, float y), (x, y, 0), a - b)
CUPRUM_ROUNDED(__fmul, float, (float x, float y), (x, y, 0), a* b)
CUPRUM_ROUNDED(__fdiv, float, (float x, float y), (x, y, 0), a / b)
CUPRUM_ROUNDED(__frcp, float, (float x), (x, 0, 0), 1 / a)
CUPRUM_ROUNDED(__fsqrt, float, (float x), (x, 0, 0), sqrtf(a))
CUPRUM_ROUNDED(__fmaf, float, (float x, float y, float z), (x, y, z), fmaf(a, b, c))
CUPRUM_ROUNDED(__dadd, double, (double x, double y), (x, y, 0), a + b)
CUPRUM_ROUNDED(__dsub, double, (double x, double y), (x, y, 0), a - b)
CUPRUM_ROUNDED(__dmul, double, (double x, double y), (x, y, 0), a* b)
CUPRUM_ROUNDED(__ddiv, double, (double x, double y), (x, y, 0), a / b)
CUPRUM_ROUNDED(__drcp, double, (double x), (x, 0, 0), 1 / a)
CUPRUM_ROUNDED(__dsqrt, double, (double x), (x, 0, 0), sqrt(a))
CUPRUM_ROUNDED(__fma, double, (double x, double y, double z), (x, y, z), fma(a, b, c))
#undef CUPRUM_ROUNDED
#undef CUPRUM_DIRECTED
#undef CUPRUM_LIST
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
