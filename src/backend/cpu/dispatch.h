// Chooses, once per process, which compilation of src/backend/cpu/simd runs on this machine.
//
// A file there defines its entry points in `namespace cuprum::CUPRUM_SIMD_LEVEL` (v2, v3, v4 or plain); its header
// declares them for every level with CUPRUM_DECLARE_FOR_LEVELS, and callers take the right one with
// CUPRUM_CALL_LEVEL. CUPRUM_SIMD=v2|v3|v4 lowers the choice (tests compare the levels). Which levels were compiled
// (CUPRUM_SIMD_HAS_V3, ...) is decided by cmake/CpuLevels.cmake: all of them, unless a build asks for fewer.
#pragma once

namespace cuprum {

enum class SimdLevel { v2, v3, v4, plain };

/// The best level that both this library and this machine have.
SimdLevel simd_level();
const char* name(SimdLevel level);

}  // namespace cuprum

#if defined(__x86_64__)
#define CUPRUM_DECLARE_FOR_LEVELS(declaration) \
  namespace v2 {                               \
  declaration;                                 \
  }                                            \
  namespace v3 {                               \
  declaration;                                 \
  }                                            \
  namespace v4 {                               \
  declaration;                                 \
  }
#else
#define CUPRUM_DECLARE_FOR_LEVELS(declaration) \
  namespace plain {                            \
  declaration;                                 \
  }
#endif

#if defined(CUPRUM_SIMD_HAS_V2)
#define CUPRUM_BASE_LEVEL v2
#elif defined(CUPRUM_SIMD_HAS_V3)
#define CUPRUM_BASE_LEVEL v3
#elif defined(CUPRUM_SIMD_HAS_V4)
#define CUPRUM_BASE_LEVEL v4
#else
#define CUPRUM_BASE_LEVEL plain
#endif

#if defined(CUPRUM_SIMD_HAS_V3)
#define CUPRUM_IF_LEVEL_V3(call) ::cuprum::simd_level() == ::cuprum::SimdLevel::v3 ? v3::call:
#else
#define CUPRUM_IF_LEVEL_V3(call)
#endif
#if defined(CUPRUM_SIMD_HAS_V4)
#define CUPRUM_IF_LEVEL_V4(call) ::cuprum::simd_level() == ::cuprum::SimdLevel::v4 ? v4::call:
#else
#define CUPRUM_IF_LEVEL_V4(call)
#endif
#define CUPRUM_CALL_LEVEL(call) (CUPRUM_IF_LEVEL_V4(call) CUPRUM_IF_LEVEL_V3(call) CUPRUM_BASE_LEVEL::call)
