// The bytes of a vector register at this instruction-set level.
#pragma once

namespace cuprum::CUPRUM_SIMD_LEVEL {

#if defined(__AVX512F__)
inline constexpr int kRegisterBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
