# Compiles every file of src/backend/cpu/simd once per instruction-set level, each in its own namespace
# (macro CUPRUM_SIMD_LEVEL), and tells all others which levels exist (CUPRUM_SIMD_HAS_V3, ...).
# Those files include no standard header with inline functions: the linker may merge such functions across
# levels, and a machine without AVX-512 would then run AVX-512 code.
#
# CUPRUM_SIMD_LEVELS (a cache variable) restricts the levels: sanitizer builds take one, because each level
# costs as much to compile as all the rest. A library of one level runs on machines of that level only. `native`: the highest
# that this machine has, which is what `make demo` builds.

# What the compiler says of this machine.
function(cuprum_native_level result)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null OUTPUT_VARIABLE macros ERROR_QUIET)
  set(needed_v4 __AVX512F__ __AVX512BW__ __AVX512CD__ __AVX512DQ__ __AVX512VL__)
  set(needed_v3 __AVX2__ __BMI2__ __F16C__ __FMA__ __LZCNT__)
  set(level v2)
  foreach(candidate v3 v4)
    set(has ON)
    foreach(macro IN LISTS needed_${candidate})
      if(NOT macros MATCHES "#define ${macro} ")
        set(has OFF)
      endif()
    endforeach()
    if(has)
      set(level ${candidate})
    endif()
  endforeach()
  set(${result} ${level} PARENT_SCOPE)
endfunction()

function(cuprum_add_simd_levels target)
  file(GLOB simd_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/backend/cpu/simd/*.cpp)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(levels v2 v3 v4)
  else()
    set(levels plain)
  endif()
  if(CUPRUM_SIMD_LEVELS STREQUAL "native" AND NOT levels STREQUAL "plain")
    cuprum_native_level(levels)
  elseif(CUPRUM_SIMD_LEVELS AND NOT CUPRUM_SIMD_LEVELS STREQUAL "native")
    set(levels ${CUPRUM_SIMD_LEVELS})
  endif()
  set(flags_v2 -march=x86-64-v2)
  set(flags_v3 -march=x86-64-v3)
  set(flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
  set(flags_plain "")
  set(definitions "")
  foreach(level IN LISTS levels)
    string(TOUPPER ${level} upper)
    list(APPEND definitions CUPRUM_SIMD_HAS_${upper})
  endforeach()
  target_compile_definitions(${target} PUBLIC ${definitions})
  set(CUPRUM_SIMD_DEFINITIONS ${definitions} PARENT_SCOPE)
  if(NOT simd_sources)
    return()
  endif()
  # gcc 12 contracts the products of complex numbers that it vectorises by itself (vfmaddsub), whatever -ffp-contract says:
  # a row alone would have other bits than one among others.
  set_source_files_properties(src/backend/cpu/simd/fft.cpp PROPERTIES
                              COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>)
  set(targets "")
  foreach(level IN LISTS levels)
    add_library(cuprum_simd_${level} OBJECT ${simd_sources})
    set_target_properties(cuprum_simd_${level} PROPERTIES CXX_VISIBILITY_PRESET hidden)
    target_include_directories(cuprum_simd_${level} PRIVATE src include)
    target_compile_definitions(cuprum_simd_${level} PRIVATE CUPRUM_SIMD_LEVEL=${level} ${definitions})
    target_compile_options(cuprum_simd_${level} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math
                           ${CUPRUM_WARNINGS} ${flags_${level}})
    if(CUPRUM_SANITIZE)  # -O3 under a sanitizer takes minutes per file
      target_compile_options(cuprum_simd_${level} PRIVATE -O1 ${CUPRUM_SANITIZE_FLAGS})
    else()
      target_compile_options(cuprum_simd_${level} PRIVATE -O3)
    endif()
    list(APPEND targets cuprum_simd_${level})
  endforeach()
  set(CUPRUM_SIMD_TARGETS ${targets} PARENT_SCOPE)
endfunction()
