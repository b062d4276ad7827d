// half and half2.
#pragma once

#include "cuprum_language/small_float.h"
#include "kernels/user/parameters.h"

using __half_raw = cuprum_language::Raw<cuprum::kernels::float16>;
using __half = cuprum_language::Small<cuprum::kernels::float16>;
using __half2 = cuprum_language::Pair<cuprum::kernels::float16>;
using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;

template <>
inline constexpr signed char cuprum_language::number_type<__half> = 9;

CUPRUM_SMALL_CONVERSIONS(__half, __half2, half, half2)

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_ZERO_FP16 __ushort_as_half(0)
