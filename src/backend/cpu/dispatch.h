// Chooses, once per process, which compilation of src/backend/cpu/simd runs on this machine.
//
// A file there defines its entry points in `namespace cuprum::CUPRUM_SIMD_LEVEL` (v2, v3, v4 or plain); its header
// declares them for every level with CUPRUM_DECLARE_FOR_LEVELS, and callers take the right one with
// CUPRUM_CALL_LEVEL. CUPRUM_SIMD=v2|v3|v4 lowers the choice (tests compare the levels).
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
#define CUPRUM_CALL_LEVEL(call)                            \
  (::cuprum::simd_level() == ::cuprum::SimdLevel::v4   ? v4::call \
   : ::cuprum::simd_level() == ::cuprum::SimdLevel::v3 ? v3::call \
                                                       : v2::call)
#else
#define CUPRUM_DECLARE_FOR_LEVELS(declaration) \
  namespace plain {                            \
  declaration;                                 \
  }
#define CUPRUM_CALL_LEVEL(call) plain::call
#endif
