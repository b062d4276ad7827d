// The element types as the scalar meanings see them, and the few words the other files here are written in.
//
// Everything in src/kernels is portable C++20 without standard headers: gcc compiles it into the CPU loops (once per
// instruction set, hence the inline namespace: two compilations must never be merged by the linker) and NVRTC
// compiles the same text for the GPU. A function here is the one definition of what an operation means. It takes and
// returns values, has no undefined behaviour for any input, and is free of branches where a loop over it is to
// become vector code.
#pragma once

#if defined(__CUDACC__)
#define CUPRUM_FN __host__ __device__ inline
#define CUPRUM_FN_LARGE __host__ __device__ inline
#else
#define CUPRUM_FN inline __attribute__((always_inline))
#define CUPRUM_FN_LARGE inline  // many instructions and branches: the compiler decides
#endif

#if defined(CUPRUM_SIMD_LEVEL)
#define CUPRUM_KERNELS_VARIANT CUPRUM_SIMD_LEVEL
#else
#define CUPRUM_KERNELS_VARIANT generic
#endif
// `&` and `|` between truth values are meant: `&&` and `||` would be branches.
#if defined(__clang__)
#define CUPRUM_KERNELS_WARNINGS \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wbitwise-instead-of-logical\"")
#define CUPRUM_KERNELS_WARNINGS_END _Pragma("clang diagnostic pop")
#else
#define CUPRUM_KERNELS_WARNINGS
#define CUPRUM_KERNELS_WARNINGS_END
#endif
#define CUPRUM_KERNELS_BEGIN  \
  CUPRUM_KERNELS_WARNINGS     \
  namespace cuprum::kernels { \
  inline namespace CUPRUM_KERNELS_VARIANT {
#define CUPRUM_KERNELS_END \
  }                        \
  }                        \
  CUPRUM_KERNELS_WARNINGS_END

CUPRUM_KERNELS_BEGIN

using int8 = signed char;
using int16 = short;
using int32 = int;
using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned int;
#if defined(__INT64_TYPE__)
using int64 = __INT64_TYPE__;
using uint64 = __UINT64_TYPE__;
#else
using int64 = long long;
using uint64 = unsigned long long;
#endif

/// IEEE binary16, by its bits. Operations convert to float, compute and round (kernels/small_float.h).
struct float16 {
  uint16 bits;
};

/// The upper half of a float32, by its bits.
struct bfloat16 {
  uint16 bits;
};

template <class R>
struct complex {
  R re;
  R im;
};
using complex64 = complex<float>;
using complex128 = complex<double>;

// -- Traits.

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

template <bool condition, class A, class B>
struct conditional_type {
  using type = A;
};
template <class A, class B>
struct conditional_type<false, A, B> {
  using type = B;
};
template <bool condition, class A, class B>
using conditional = typename conditional_type<condition, A, B>::type;

template <class T>
concept boolean = same<T, bool>;
template <class T>
concept signed_integer =
    same<T, int8> || same<T, int16> || same<T, int32> || same<T, long> || same<T, long long>;
template <class T>
concept unsigned_integer = same<T, uint8> || same<T, uint16> || same<T, uint32> || same<T, unsigned long> ||
    same<T, unsigned long long>;
template <class T>
concept integer = signed_integer<T> || unsigned_integer<T>;
template <class T>
concept native_float = same<T, float> || same<T, double>;
template <class T>
concept small_float = same<T, float16> || same<T, bfloat16>;
template <class T>
concept real_number = boolean<T> || integer<T> || native_float<T>;

template <class T>
inline constexpr bool is_complex_type = false;
template <class R>
inline constexpr bool is_complex_type<complex<R>> = true;
template <class T>
concept complex_number = is_complex_type<T>;

template <int size>
using unsigned_of_size =
    conditional<size == 1, uint8, conditional<size == 2, uint16, conditional<size == 4, uint32, uint64>>>;
template <int size>
using signed_of_size =
    conditional<size == 1, int8, conditional<size == 2, int16, conditional<size == 4, int32, int64>>>;

/// The unsigned integer that holds the bits of T.
template <class T>
using bits_of = unsigned_of_size<sizeof(T)>;

/// The unsigned type in which integer arithmetic wraps without promotion to int getting in the way.
template <integer T>
using wrapping = conditional<sizeof(T) == 8, uint64, uint32>;

template <class To, class From>
CUPRUM_FN To bit_cast(From x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}

template <class T>
CUPRUM_FN bits_of<T> to_bits(T x) {
  return bit_cast<bits_of<T>>(x);
}

/// Layout of the IEEE types: exponent bias, mantissa bits and the bits of infinity.
template <class T>
struct float_format;
template <>
struct float_format<float16> {
  static constexpr int mantissa = 10, bias = 15;
  static constexpr uint16 sign = 0x8000, infinity = 0x7c00, nan = 0x7e00;
};
template <>
struct float_format<bfloat16> {
  static constexpr int mantissa = 7, bias = 127;
  static constexpr uint16 sign = 0x8000, infinity = 0x7f80, nan = 0x7fc0;
};
template <>
struct float_format<float> {
  static constexpr int mantissa = 23, bias = 127;
  static constexpr uint32 sign = 0x80000000u, infinity = 0x7f800000u, nan = 0x7fc00000u;
};
template <>
struct float_format<double> {
  static constexpr int mantissa = 52, bias = 1023;
  static constexpr uint64 sign = 0x8000000000000000u, infinity = 0x7ff0000000000000u,
                          nan = 0x7ff8000000000000u;
};

template <native_float T>
CUPRUM_FN T infinity() {
  return bit_cast<T>(float_format<T>::infinity);
}
template <native_float T>
CUPRUM_FN T quiet_nan() {
  return bit_cast<T>(float_format<T>::nan);
}

CUPRUM_KERNELS_END
