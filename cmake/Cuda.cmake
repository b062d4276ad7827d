# The CUDA plug-in: libcuprum_cuda<major>.so, from src/backend/cuda, beside libcuprum.so.
#
#   CUPRUM_CUDA                  AUTO (where nvcc and a driver are found: without a GPU the plug-in would take half of the
#                                build's time for nothing), ON or OFF
#   CUPRUM_CUDA_ARCHITECTURES    "90" by default; any list that CMake understands ("80;90-real", "native"), or
#                                "release": what a wheel carries, machine code for 80, 86, 89 and 90 and PTX for what
#                                comes after
#
# The plug-in links the CUDA runtime statically and libcuprum.so; the driver, NVRTC, cuBLAS and cuFFT are opened when they are
# needed, so that it loads on every machine and can say what is missing there.
# NVRTC gets the scalar meanings and the kernels' skeletons as text: cmake/EmbedHeaders.cmake makes a source file of them.

set(CUPRUM_CUDA "AUTO" CACHE STRING "Build the CUDA plug-in: AUTO, ON or OFF")
set(CUPRUM_CUDA_ARCHITECTURES "90" CACHE STRING "GPU architectures of the CUDA plug-in, or \"release\"")
set(CUPRUM_HAS_CUDA OFF)

if(CUPRUM_CUDA STREQUAL "OFF" OR (CUPRUM_CUDA STREQUAL "AUTO" AND CUPRUM_SANITIZE))
  message(STATUS "CUDA plug-in: off")
  return()
endif()
find_program(CUPRUM_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
if(NOT CUPRUM_NVCC)
  if(CUPRUM_CUDA STREQUAL "AUTO")
    message(STATUS "CUDA plug-in: off, nvcc was not found")
    return()
  endif()
  message(FATAL_ERROR "CUPRUM_CUDA=ON, but nvcc was not found: put it on PATH or set CUDA_PATH")
endif()

find_library(CUPRUM_DRIVER libcuda.so.1 PATH_SUFFIXES nvidia/current nvidia wsl/lib)
if(CUPRUM_CUDA STREQUAL "AUTO" AND NOT CUPRUM_DRIVER AND NOT EXISTS /dev/nvidiactl)
  message(STATUS "CUDA plug-in: off, no driver was found (CUPRUM_CUDA=ON builds it all the same)")
  return()
endif()
if(CMAKE_VERSION VERSION_LESS 3.26 AND CUPRUM_CUDA STREQUAL "AUTO")
  message(STATUS "CUDA plug-in: off, CMake 3.26 is needed to give nvcc the flag for C++20 (pip install cmake)")
  return()
endif()
set(CMAKE_CUDA_COMPILER ${CUPRUM_NVCC})
set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
if(CUPRUM_CUDA_ARCHITECTURES STREQUAL "release")
  set(CMAKE_CUDA_ARCHITECTURES 80-real 86-real 89-real 90)
else()
  set(CMAKE_CUDA_ARCHITECTURES ${CUPRUM_CUDA_ARCHITECTURES})
endif()
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
if(CCACHE)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
find_package(CUDAToolkit REQUIRED)
set(CUPRUM_HAS_CUDA ON)
message(STATUS "CUDA plug-in: CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")

# -- The texts for NVRTC.
file(GLOB embedded_headers CONFIGURE_DEPENDS src/kernels/*.h src/kernels/random/*.h src/kernels/jit/*.h src/kernels/user/*.h
     src/backend/cuda/device/*.cuh)
set(embedded_source ${CMAKE_CURRENT_BINARY_DIR}/cuda/embedded_headers.cpp)
cuprum_embed_headers(${embedded_source} backend/cuda/jit/headers.h cuprum::cuda embedded_headers
                     "${CMAKE_CURRENT_SOURCE_DIR}/src/backend/cuda;${CMAKE_CURRENT_SOURCE_DIR}/src" "${embedded_headers}")

# -- The object files, each compiled once, for the plug-in and for the tests that need no device.
# The interpreter's kernels call the loops of other files through a table: those files meet in the device linker.
file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS src/backend/cuda/*.cpp src/backend/cuda/*.cu)
file(GLOB bytecode_sources CONFIGURE_DEPENDS src/backend/cuda/bytecode/*.cu)
list(REMOVE_ITEM cuda_sources ${bytecode_sources})
add_library(cuprum_cuda_objects OBJECT ${cuda_sources} ${embedded_source})
add_library(cuprum_cuda_bytecode OBJECT ${bytecode_sources})
set_target_properties(cuprum_cuda_bytecode PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
# What an indirect call may need, every caller has: 64 registers keep four blocks of 256 threads on a multiprocessor.
target_compile_options(cuprum_cuda_bytecode PRIVATE -maxrregcount=64)
# 56 registers keep three blocks of 384 threads on a multiprocessor, where the sort of float32 took 80 (1.81 ms for 64M).
set_source_files_properties(src/backend/cuda/primitives/sort/radix_values.cu PROPERTIES COMPILE_OPTIONS -maxrregcount=56)
string(REPLACE ";" "," architectures_text "${CMAKE_CUDA_ARCHITECTURES}")
target_compile_definitions(cuprum_cuda_objects PRIVATE CUPRUM_CUDA_ARCHITECTURES="${architectures_text}")
foreach(target cuprum_cuda_objects cuprum_cuda_bytecode)
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY None)
  target_include_directories(${target} PUBLIC src include src/backend/cuda)
  target_include_directories(${target} SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})
  # Both tiers compute the same bits: no contraction, full-precision division and roots, denormals kept.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${CUPRUM_WARNINGS} -ffp-contract=off ${CUPRUM_SANITIZE_FLAGS}>
    $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -ftz=false -prec-div=true -prec-sqrt=true --expt-relaxed-constexpr
      --extended-lambda -diag-suppress=20012,20014 -Xcompiler=-ffp-contract=off>)
endforeach()

set(CUPRUM_CUDA_LIBRARY cuprum_cuda${CUDAToolkit_VERSION_MAJOR})
add_library(cuprum_cuda SHARED $<TARGET_OBJECTS:cuprum_cuda_objects> $<TARGET_OBJECTS:cuprum_cuda_bytecode>)
set_target_properties(cuprum_cuda PROPERTIES CUDA_RESOLVE_DEVICE_SYMBOLS ON CUDA_RUNTIME_LIBRARY None)
set_target_properties(cuprum_cuda PROPERTIES OUTPUT_NAME ${CUPRUM_CUDA_LIBRARY} LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN"
                      LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/exports_cuda.map)
target_link_libraries(cuprum_cuda PRIVATE cuprum CUDA::cudart_static Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(cuprum_cuda PRIVATE -Wl,-Bsymbolic -Wl,-z,defs ${CUPRUM_SANITIZE_FLAGS}
                    -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/exports_cuda.map)
install(TARGETS cuprum_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
