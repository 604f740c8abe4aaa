# Installs the build at BUILD into a folder of its own below WORK; configures, builds and runs the project at SOURCE
# with nothing but that folder.

function(run)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE printed
    ERROR_VARIABLE printed)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "exit code ${result} of ${command}\n${printed}")
  endif()
  set(printed "${printed}" PARENT_SCOPE)
endfunction()

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND}
    -S
    ${SOURCE}
    -B
    ${WORK}/build
    -G
    ${GENERATOR}
    -DCMAKE_BUILD_TYPE=${CONFIG}
    -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_FLAGS=${FLAGS}
    -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_FIND_PACKAGE_PREFER_CONFIG=ON)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
if(NOT printed MATCHES "mrcnic ${VERSION}")
  message(FATAL_ERROR "the installed package is not version ${VERSION}:\n${printed}")
endif()
run(${prefix}/bin/mrcnic --version)
if(NOT printed MATCHES "${VERSION}")
  message(FATAL_ERROR "the installed program is not version ${VERSION}:\n${printed}")
endif()
