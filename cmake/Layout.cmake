# Where things are installed: the usual places for a C++ library, everything inside the package for a wheel.
include(GNUInstallDirs)
if(SKBUILD)
  set(CMAKE_INSTALL_LIBDIR cuprum)
  set(CMAKE_INSTALL_INCLUDEDIR cuprum/include)
  set(CUPRUM_CMAKE_DIR cuprum/cmake)
else()
  set(CUPRUM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/cuprum)
endif()
