# Finds a CBLAS for matmul and describes it by the interface target `cuprum_blas`:
#   CUPRUM_HAS_CBLAS        defined when there is one; include <cblas.h>
#   CUPRUM_CBLAS_PREFIX     what its names begin with: scipy_ for the wheel's, empty for the system's
# Without one, everything builds and matmul runs on the library's own blocked loop.
# A BLAS that is a shared library is opened when it is first needed, by the name CUPRUM_BLAS_SONAME and the rpath of the library or
# program that we are in (src/backend/cpu/blas_library.h); one that is an archive is linked.
#
# A wheel takes OpenBLAS from the package scipy-openblas32, so that every machine gets the same recent one; at run
# time it is found beside the package (rpath). Everything else prefers the system's. Where there is none, what is installed
# brings that of scipy-openblas32 along (CUPRUM_BLAS_BUNDLE, cmake/Install.cmake): one file, which needs the C library alone.

set(CUPRUM_BLAS_RPATH "")
set(CUPRUM_BLAS_BUNDLE "")
set(blas_order system wheel)
if(SKBUILD)
  set(blas_order wheel system)
  set(CUPRUM_BLAS_RPATH "$ORIGIN")
endif()
if(NOT CUPRUM_BLAS STREQUAL "auto")
  set(blas_order ${CUPRUM_BLAS})
endif()

add_library(cuprum_blas INTERFACE)
set(blas_package "")  # the folder of it below Python's site-packages
set(blas_found "none: matmul uses the library's own loop")
foreach(kind IN LISTS blas_order)
  if(kind STREQUAL "system")
    find_path(CUPRUM_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas openblas-pthread)
    find_library(CUPRUM_CBLAS_LIBRARY NAMES openblas)
    if(CUPRUM_CBLAS_INCLUDE AND CUPRUM_CBLAS_LIBRARY)
      target_include_directories(cuprum_blas SYSTEM INTERFACE $<BUILD_INTERFACE:${CUPRUM_CBLAS_INCLUDE}>)
      target_compile_definitions(cuprum_blas INTERFACE CUPRUM_HAS_CBLAS CUPRUM_CBLAS_PREFIX=)
      set(blas_found ${CUPRUM_CBLAS_LIBRARY})
      break()
    endif()
  elseif(kind STREQUAL "wheel")
    if(Python_EXECUTABLE)
      set(blas_python ${Python_EXECUTABLE})
    else()
      find_program(blas_python python3)
    endif()
    execute_process(COMMAND ${blas_python} -c "import scipy_openblas32 as s; print(s.get_lib_dir())"
                    OUTPUT_VARIABLE wheel_lib OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(wheel_lib AND EXISTS ${wheel_lib}/libscipy_openblas.so)
      target_include_directories(cuprum_blas SYSTEM INTERFACE $<BUILD_INTERFACE:${wheel_lib}/../include>)
      target_compile_definitions(cuprum_blas INTERFACE CUPRUM_HAS_CBLAS CUPRUM_CBLAS_PREFIX=scipy_)
      set(blas_package scipy_openblas32/lib)
      set(blas_found ${wheel_lib}/libscipy_openblas.so)
      if(SKBUILD)
        list(APPEND CUPRUM_BLAS_RPATH "$ORIGIN/../scipy_openblas32/lib")
      else()
        set(CUPRUM_BLAS_BUNDLE ${wheel_lib}/libscipy_openblas.so)
        file(GLOB CUPRUM_BLAS_LICENSE ${wheel_lib}/../../scipy_openblas32-*.dist-info/licenses/*)
        list(APPEND CUPRUM_BLAS_RPATH "$ORIGIN/cuprum")
      endif()
      break()
    endif()
  endif()
endforeach()
message(STATUS "BLAS: ${blas_found}")

set(CUPRUM_BLAS_FOLDER "")  # for what runs out of the build folder
set(CUPRUM_BLAS_SONAME "")
if(EXISTS "${blas_found}" AND blas_found MATCHES "\\.a$")
  target_link_libraries(cuprum_blas INTERFACE ${blas_found})
  set_source_files_properties(src/backend/cpu/blas.cpp src/backend/cpu/blas_library.cpp
    src/backend/cpu/lapack/lapack.cpp PROPERTIES COMPILE_DEFINITIONS CUPRUM_BLAS_LINKED)
elseif(EXISTS "${blas_found}")
  execute_process(COMMAND ${CMAKE_READELF} -d ${blas_found} OUTPUT_VARIABLE blas_dynamic ERROR_QUIET)
  get_filename_component(CUPRUM_BLAS_FOLDER ${blas_found} DIRECTORY)
  get_filename_component(CUPRUM_BLAS_SONAME ${blas_found} NAME)
  if(blas_dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
    set(CUPRUM_BLAS_SONAME ${CMAKE_MATCH_1})
  endif()
  set_source_files_properties(src/backend/cpu/blas_library.cpp PROPERTIES COMPILE_DEFINITIONS
    "CUPRUM_BLAS_FILE=\"${CUPRUM_BLAS_SONAME}\";CUPRUM_BLAS_PACKAGE=\"${blas_package}\"")
  if(CUPRUM_STATIC AND NOT CUPRUM_BLAS_FOLDER IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    target_link_options(cuprum_blas INTERFACE LINKER:-rpath,${CUPRUM_BLAS_FOLDER})  # of the program
  endif()
endif()
