// The loop tables of every instruction-set level that this build has and this machine can run.
#pragma once

#include <vector>

#include "backend/cpu/loops.h"

namespace cuprum::testing_support {

struct Level {
  const char* name;
  const LoopTable* loops;
};

inline std::vector<Level> runnable_levels() {
  std::vector<Level> levels;
#if defined(__x86_64__)
  __builtin_cpu_init();
#if defined(CUPRUM_SIMD_HAS_V2)
  levels.push_back({"v2", &v2::loop_table()});
#endif
#if defined(CUPRUM_SIMD_HAS_V3)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
    levels.push_back({"v3", &v3::loop_table()});
  }
#endif
#if defined(CUPRUM_SIMD_HAS_V4)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    levels.push_back({"v4", &v4::loop_table()});
  }
#endif
#else
  levels.push_back({"plain", &plain::loop_table()});
#endif
  return levels;
}

}  // namespace cuprum::testing_support
