# `cmake --install`, then `find_package(cuprum)` or `pkg-config cuprum`. A wheel carries the same files inside the package.
include(CMakePackageConfigHelpers)

install(TARGETS cuprum EXPORT cuprumTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(CUPRUM_BLAS_BUNDLE AND NOT CUPRUM_STATIC)  # a folder of its own: no other program finds it there
  install(PROGRAMS ${CUPRUM_BLAS_BUNDLE} DESTINATION ${CMAKE_INSTALL_LIBDIR}/cuprum)
  install(FILES ${CUPRUM_BLAS_LICENSE} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libcuprum-dev/openblas)
endif()
if(CUPRUM_STATIC)  # whoever links the program links what the library needs
  install(TARGETS cuprum_blas EXPORT cuprumTargets)
endif()
install(DIRECTORY include/cuprum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT cuprumTargets NAMESPACE cuprum:: DESTINATION ${CUPRUM_CMAKE_DIR})
configure_package_config_file(cmake/cuprumConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/cuprumConfig.cmake
                              INSTALL_DESTINATION ${CUPRUM_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cuprumConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cuprumConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/cuprumConfigVersion.cmake
        DESTINATION ${CUPRUM_CMAKE_DIR})
if(NOT SKBUILD)
  file(RELATIVE_PATH PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # wherever it is put
  configure_file(cmake/cuprum.pc.in ${CMAKE_CURRENT_BINARY_DIR}/cuprum.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cuprum.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  if(PROJECT_IS_TOP_LEVEL)
    include(cmake/Package.cmake)
  endif()
endif()
