#include "backend/cuda/user_kernels/language.h"

namespace cuprum::cuda {

namespace {

constexpr char kIntegers[] = R"(#pragma once
#if __has_include(<cuda/std/cstdint>)
#include <cuda/std/cstdint>
#else
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
typedef long long intmax_t;
typedef unsigned long long uintmax_t;
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define INT8_MIN (-INT8_MAX - 1)
#define INT16_MIN (-INT16_MAX - 1)
#define INT32_MIN (-INT32_MAX - 1)
#define INT64_MIN (-INT64_MAX - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#endif
namespace std {
using ::int8_t, ::int16_t, ::int32_t, ::int64_t, ::uint8_t, ::uint16_t, ::uint32_t, ::uint64_t, ::intptr_t,
    ::uintptr_t;
}
)";

constexpr char kLimits[] = R"(#pragma once
#if __has_include(<cuda/std/climits>)
#include <cuda/std/climits>
#else
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ULL
#endif
)";

constexpr char kFloats[] = R"(#pragma once
#define FLT_EPSILON 1.192092896e-07F
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
)";

constexpr char kMath[] = R"(#pragma once
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
namespace std {
using ::abs, ::acos, ::acosh, ::asin, ::asinh, ::atan, ::atan2, ::atanh, ::cbrt, ::ceil, ::copysign, ::cos, ::cosh;
using ::erf, ::erfc, ::exp, ::exp2, ::expm1, ::fabs, ::fdim, ::floor, ::fma, ::fmax, ::fmin, ::fmod, ::frexp, ::hypot;
using ::isfinite, ::isinf, ::isnan, ::ldexp, ::lgamma, ::log, ::log10, ::log1p, ::log2, ::modf, ::nextafter, ::pow;
using ::remainder, ::rint, ::round, ::signbit, ::sin, ::sinh, ::sqrt, ::tan, ::tanh, ::tgamma, ::trunc;
}
)";

constexpr char kThrustComplex[] = R"(#pragma once
#include "kernels/user/complex.h"
namespace thrust {
using ::complex, ::abs, ::arg, ::norm, ::conj, ::polar, ::proj, ::real, ::imag, ::exp, ::log, ::log10, ::pow, ::sqrt;
using ::sin, ::cos, ::tan, ::asin, ::acos, ::atan, ::sinh, ::cosh, ::tanh, ::asinh, ::acosh, ::atanh;
}
)";

// Those of the C++ library that libcu++ has, where the toolkit's headers are found.
#define CUPRUM_STANDARD(name) \
  { #name, "#pragma once\n#include <cuda/std/" #name ">\nnamespace std {\nusing namespace cuda::std;\n}\n" }

constexpr EmbeddedHeader kHeaders[] = {
    {"cupy/complex.cuh", "#pragma once\n#include \"kernels/user/complex.h\"\n"},
    {"cupy/carray.cuh",
     "#pragma once\n#include \"kernels/user/carray.h\"\n#include \"kernels/user/small_floats.h\"\n"},
    {"thrust/complex.h", kThrustComplex},
    {"assert.h", ""},
    {"cassert", ""},
    {"stdio.h", ""},
    {"cstdio", ""},
    {"stdlib.h", ""},
    {"cstdlib", ""},
    {"string.h", ""},
    {"cstring", ""},
    {"stddef.h", ""},
    {"cstddef", ""},
    {"initializer_list", ""},
    {"stdint.h", kIntegers},
    {"cstdint", kIntegers},
    {"limits.h", kLimits},
    {"climits", kLimits},
    {"float.h", kFloats},
    {"cfloat", kFloats},
    {"math.h", kMath},
    {"cmath", kMath},
    CUPRUM_STANDARD(array),
    CUPRUM_STANDARD(complex),
    CUPRUM_STANDARD(functional),
    CUPRUM_STANDARD(iterator),
    CUPRUM_STANDARD(limits),
    CUPRUM_STANDARD(tuple),
    CUPRUM_STANDARD(type_traits),
    CUPRUM_STANDARD(utility),
};
#undef CUPRUM_STANDARD

}  // namespace

std::span<const EmbeddedHeader> user_headers() { return kHeaders; }

const std::string& user_headers_fingerprint() {
  static const auto* const value = new std::string(std::to_string(fingerprint(user_headers())));
  return *value;
}

}  // namespace cuprum::cuda
