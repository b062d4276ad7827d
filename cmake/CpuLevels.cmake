# Compiles every file of src/backend/cpu/simd once per instruction-set level, each in its own namespace
# (macro CUPRUM_SIMD_LEVEL), and tells the library which levels it has (CUPRUM_SIMD_LEVELS, best last).
# Those files include no standard header with inline functions: the linker may merge such functions across
# levels, and a machine without AVX-512 would then run AVX-512 code.

function(cuprum_add_simd_levels target)
  file(GLOB simd_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/backend/cpu/simd/*.cpp)
  if(NOT simd_sources)
    return()
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(levels v2 v3 v4)
  else()
    set(levels plain)
  endif()
  set(flags_v2 -march=x86-64-v2)
  set(flags_v3 -march=x86-64-v3)
  set(flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
  set(flags_plain "")
  foreach(level IN LISTS levels)
    add_library(cuprum_simd_${level} OBJECT ${simd_sources})
    target_include_directories(cuprum_simd_${level} PRIVATE src include)
    target_compile_definitions(cuprum_simd_${level} PRIVATE CUPRUM_SIMD_LEVEL=${level})
    target_compile_options(cuprum_simd_${level} PRIVATE -O3 -ffp-contract=off -fno-math-errno
                           -fno-trapping-math -Wall -Wextra -Wno-unused-parameter ${flags_${level}})
    if(CUPRUM_SANITIZE)
      target_compile_options(cuprum_simd_${level} PRIVATE -fsanitize=${CUPRUM_SANITIZE})
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:cuprum_simd_${level}>)
    string(TOUPPER ${level} upper)
    target_compile_definitions(${target} PRIVATE CUPRUM_SIMD_HAS_${upper})
  endforeach()
endfunction()
