# The module cuprum._core, from python/src, beside libcuprum.so in the package.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
                OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
find_package(nanobind CONFIG REQUIRED)

file(GLOB module_sources CONFIGURE_DEPENDS python/src/*.cpp)
if(NOT module_sources)
  message(STATUS "python/src has no source files: no Python module")
  return()
endif()
# NOMINSIZE: the cost of a call counts for more than the size of the module. NB_DOMAIN: what is set of nanobind here (no reports
# of leaks) is not set for the modules of others. FREE_THREADED: says that the module needs no GIL, where Python can do without.
nanobind_add_module(_core NB_STATIC NOMINSIZE FREE_THREADED NB_DOMAIN cuprum ${module_sources})
target_include_directories(_core PRIVATE src python/src)
target_compile_options(_core PRIVATE ${CUPRUM_WARNINGS} ${CUPRUM_SANITIZE_FLAGS})
target_link_options(_core PRIVATE ${CUPRUM_SANITIZE_FLAGS})
target_link_libraries(_core PRIVATE cuprum)
cuprum_precompile(_core <bindings.h> <nanobind/stl/string.h> <nanobind/stl/vector.h>)
set_target_properties(_core PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS _core LIBRARY DESTINATION cuprum)
