# `cmake --install` and `find_package(cuprum)`. A wheel carries the same files inside the package.
include(CMakePackageConfigHelpers)

install(TARGETS cuprum EXPORT cuprumTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/cuprum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT cuprumTargets NAMESPACE cuprum:: DESTINATION ${CUPRUM_CMAKE_DIR})
configure_package_config_file(cmake/cuprumConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/cuprumConfig.cmake
                              INSTALL_DESTINATION ${CUPRUM_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cuprumConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cuprumConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/cuprumConfigVersion.cmake
        DESTINATION ${CUPRUM_CMAKE_DIR})
