// __nv_bfloat16 and __nv_bfloat162.
#pragma once

#include "cuprum_language/small_float.h"
#include "kernels/user/parameters.h"

using __nv_bfloat16_raw = cuprum_language::Raw<cuprum::kernels::bfloat16>;
using __nv_bfloat16 = cuprum_language::Small<cuprum::kernels::bfloat16>;
using __nv_bfloat162 = cuprum_language::Pair<cuprum::kernels::bfloat16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

template <>
inline constexpr signed char cuprum_language::number_type<__nv_bfloat16> = 10;

CUPRUM_SMALL_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0)
