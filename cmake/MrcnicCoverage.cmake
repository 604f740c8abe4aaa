# The target `coverage`: runs all tests, then prints how much of the library and the platforms they reach.

find_program(MRCNIC_GCOVR gcovr)
find_program(MRCNIC_LCOV lcov)
mark_as_advanced(MRCNIC_GCOVR MRCNIC_LCOV)

set(info ${PROJECT_BINARY_DIR}/coverage.info)
if(MRCNIC_GCOVR)
  set(summary COMMAND ${MRCNIC_GCOVR} --root ${PROJECT_SOURCE_DIR} --filter ${PROJECT_SOURCE_DIR}/tlm/ --filter
                      ${PROJECT_SOURCE_DIR}/platforms/ ${PROJECT_BINARY_DIR})
elseif(MRCNIC_LCOV)
  set(summary
      COMMAND ${MRCNIC_LCOV} --quiet --capture --directory ${PROJECT_BINARY_DIR} --base-directory
              ${PROJECT_SOURCE_DIR} --no-external --output-file ${info}
      COMMAND ${MRCNIC_LCOV} --quiet --extract ${info} ${PROJECT_SOURCE_DIR}/tlm/* ${PROJECT_SOURCE_DIR}/platforms/*
              --output-file ${info}
      COMMAND ${MRCNIC_LCOV} --list ${info})
else()
  set(summary COMMAND ${CMAKE_COMMAND} -E echo "No summary: neither gcovr nor lcov is installed."
              COMMAND ${CMAKE_COMMAND} -E false)
endif()

add_custom_target(
  coverage
  COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure
  ${summary}
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  USES_TERMINAL VERBATIM)
get_property(programs GLOBAL PROPERTY MRCNIC_TEST_PROGRAMS)
add_dependencies(coverage mrcnic_cli ${programs})
