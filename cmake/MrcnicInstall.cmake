# `cmake --install` and the package that find_package(mrcnic) finds.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mrcnic)

if(BUILD_SHARED_LIBS)
  set_target_properties(mrcnic_platforms mrcnic_cli PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()
install(TARGETS mrcnic EXPORT mrcnicTargets FILE_SET HEADERS FILE_SET generated)
install(TARGETS mrcnic_platforms EXPORT mrcnicTargets FILE_SET HEADERS)
install(TARGETS mrcnic_cli)
install(EXPORT mrcnicTargets NAMESPACE mrcnic:: DESTINATION ${package_dir})

configure_package_config_file(cmake/mrcnicConfig.cmake.in mrcnicConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(mrcnicConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mrcnicConfig.cmake ${PROJECT_BINARY_DIR}/mrcnicConfigVersion.cmake
              cmake/MrcnicSystemC.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY platforms/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/mrcnic)
