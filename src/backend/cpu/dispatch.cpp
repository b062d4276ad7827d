// The choice itself: what the machine has, lowered by CUPRUM_SIMD, among the levels that were compiled.
#include "backend/cpu/dispatch.h"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "runtime/settings.h"

namespace cuprum {

namespace {

#if defined(__x86_64__)
bool machine_has(SimdLevel level) {
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return level == SimdLevel::v4 ? v4 : level == SimdLevel::v3 ? v3 : __builtin_cpu_supports("sse4.2");
}

bool compiled(SimdLevel level) {
#if defined(CUPRUM_SIMD_HAS_V2)
  if (level == SimdLevel::v2) return true;
#endif
#if defined(CUPRUM_SIMD_HAS_V3)
  if (level == SimdLevel::v3) return true;
#endif
#if defined(CUPRUM_SIMD_HAS_V4)
  if (level == SimdLevel::v4) return true;
#endif
  return false;
}

SimdLevel detect() {
  const std::string& asked = settings().simd;
  const SimdLevel highest = asked == "v2" ? SimdLevel::v2 : asked == "v3" ? SimdLevel::v3 : SimdLevel::v4;
  for (const SimdLevel level : {SimdLevel::v4, SimdLevel::v3, SimdLevel::v2}) {
    if (level <= highest && compiled(level) && machine_has(level)) return level;
  }
  // A build restricted to one level ignores CUPRUM_SIMD; on a machine below it nothing can run.
  for (const SimdLevel level : {SimdLevel::v3, SimdLevel::v4}) {
    if (compiled(level) && machine_has(level)) return level;
  }
  std::fputs(
      "cuprum: this processor lacks the instructions that the library was compiled for (CUPRUM_SIMD_LEVELS); "
      "at least SSE4.2 is needed\n",
      stderr);
  std::abort();
}
#else
SimdLevel detect() { return SimdLevel::plain; }
#endif

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
