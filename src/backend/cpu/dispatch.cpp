#include "backend/cpu/dispatch.h"

#include <cstdlib>
#include <cstring>

namespace cuprum {

namespace {

SimdLevel detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  SimdLevel best = has_v4 ? SimdLevel::v4 : has_v3 ? SimdLevel::v3 : SimdLevel::v2;
  if (const char* asked = std::getenv("CUPRUM_SIMD")) {
    if (std::strcmp(asked, "v2") == 0) return SimdLevel::v2;
    if (std::strcmp(asked, "v3") == 0 && has_v3) return SimdLevel::v3;
  }
  return best;
#else
  return SimdLevel::plain;
#endif
}

}  // namespace

SimdLevel simd_level() {
  static const SimdLevel level = detect();
  return level;
}

const char* name(SimdLevel level) {
  switch (level) {
    case SimdLevel::v2: return "x86-64-v2 (SSE4.2)";
    case SimdLevel::v3: return "x86-64-v3 (AVX2)";
    case SimdLevel::v4: return "x86-64-v4 (AVX-512)";
    case SimdLevel::plain: return "plain C++";
  }
  return "";
}

}  // namespace cuprum
