# Provides the target mrcnic::systemc, and makes sure that a program links with it. The installed package uses this
# file too.
#
# SystemC comes from its own package file, from pkg-config, or is looked for in the system's folders, in this order.

# Puts the first SystemC found behind mrcnic::systemc; sets MRCNIC_SYSTEMC_LIBRARY to the file of the library, if known.
function(mrcnic_find_systemc)
  add_library(mrcnic::systemc INTERFACE IMPORTED GLOBAL)

  find_package(SystemCLanguage CONFIG QUIET)
  if(TARGET SystemC::systemc)
    target_link_libraries(mrcnic::systemc INTERFACE SystemC::systemc)
    set(MRCNIC_SYSTEMC_LIBRARY "" PARENT_SCOPE)
    foreach(suffix "" _RELEASE _RELWITHDEBINFO _DEBUG _NOCONFIG)
      get_target_property(file SystemC::systemc IMPORTED_LOCATION${suffix})
      if(file)
        set(MRCNIC_SYSTEMC_LIBRARY ${file} PARENT_SCOPE)
      endif()
    endforeach()
    return()
  endif()

  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(MRCNIC_PC_SYSTEMC QUIET IMPORTED_TARGET GLOBAL systemc tlm)
    if(MRCNIC_PC_SYSTEMC_FOUND)
      target_link_libraries(mrcnic::systemc INTERFACE PkgConfig::MRCNIC_PC_SYSTEMC)
      list(GET MRCNIC_PC_SYSTEMC_LINK_LIBRARIES 0 file)
      set(MRCNIC_SYSTEMC_LIBRARY ${file} PARENT_SCOPE)
      return()
    endif()
  endif()

  find_path(MRCNIC_SYSTEMC_INCLUDE_DIR systemc HINTS ENV SYSTEMC_HOME PATH_SUFFIXES include)
  find_library(MRCNIC_SYSTEMC_FILE systemc HINTS ENV SYSTEMC_HOME PATH_SUFFIXES lib lib64 lib-linux64)
  mark_as_advanced(MRCNIC_SYSTEMC_INCLUDE_DIR MRCNIC_SYSTEMC_FILE)
  if(NOT MRCNIC_SYSTEMC_INCLUDE_DIR OR NOT MRCNIC_SYSTEMC_FILE)
    message(FATAL_ERROR "SystemC was not found. Install it (Debian: libsystemc-dev), or name its folder: its package "
                        "file by CMAKE_PREFIX_PATH, else the environment variable SYSTEMC_HOME.")
  endif()
  target_include_directories(mrcnic::systemc SYSTEM INTERFACE ${MRCNIC_SYSTEMC_INCLUDE_DIR})
  target_link_libraries(mrcnic::systemc INTERFACE ${MRCNIC_SYSTEMC_FILE})
  set(MRCNIC_SYSTEMC_LIBRARY ${MRCNIC_SYSTEMC_FILE} PARENT_SCOPE)
endfunction()

# Stops with an explanation that a person can act on; `log` is what the failed probe printed.
function(mrcnic_explain_systemc standard log)
  set(wanted "")
  if(EXISTS "${MRCNIC_SYSTEMC_LIBRARY}")
    # The library exports one symbol named after its version and the standard that it was compiled with.
    file(STRINGS "${MRCNIC_SYSTEMC_LIBRARY}" symbols REGEX "sc_api_version_[0-9_]+_cxx[0-9]+L" LIMIT_COUNT 1)
    if(symbols MATCHES "(sc_api_version_([0-9_]+)_cxx20([0-9][0-9])[0-9][0-9]L)")
      string(REPLACE "_" "." version ${CMAKE_MATCH_2})
      set(symbol ${CMAKE_MATCH_1})
      set(wanted ${CMAKE_MATCH_3})
    endif()
  endif()
  if(wanted AND NOT wanted EQUAL standard)
    message(
      FATAL_ERROR
        "SystemC ${version} (${MRCNIC_SYSTEMC_LIBRARY}) is compiled as C++${wanted}: it has the symbol ${symbol}, and "
        "links only with programs of that standard. This project is configured for C++${standard}.\n"
        "Configure with -DCMAKE_CXX_STANDARD=${wanted}, or use a SystemC that is compiled as C++${standard}.")
  endif()
  message(FATAL_ERROR "A two-line program does not link with SystemC (${MRCNIC_SYSTEMC_LIBRARY}) as C++${standard}; "
                      "the compiler says:\n${log}")
endfunction()

function(mrcnic_probe_systemc)
  set(standard 17)
  if(CMAKE_CXX_STANDARD)
    set(standard ${CMAKE_CXX_STANDARD})
  endif()
  # The answer is kept for one combination only, so that a changed standard or library is probed again.
  string(MD5 key "${standard} ${MRCNIC_SYSTEMC_LIBRARY} ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS}")
  if(MRCNIC_SYSTEMC_PROBED STREQUAL key)
    return()
  endif()
  unset(MRCNIC_SYSTEMC_LINKS CACHE)
  try_compile(
    MRCNIC_SYSTEMC_LINKS
    SOURCE_FROM_CONTENT probe.cpp "#include <systemc>\nint sc_main(int, char**) { return 0; }\n"
    LINK_LIBRARIES mrcnic::systemc
    OUTPUT_VARIABLE log
    CXX_STANDARD ${standard}
    CXX_STANDARD_REQUIRED ON
    CXX_EXTENSIONS OFF)
  if(NOT MRCNIC_SYSTEMC_LINKS)
    mrcnic_explain_systemc(${standard} "${log}")
  endif()
  set(MRCNIC_SYSTEMC_PROBED ${key} CACHE INTERNAL "the combination for which SystemC is known to link")
endfunction()

if(NOT TARGET mrcnic::systemc)
  mrcnic_find_systemc()
  mrcnic_probe_systemc()
endif()
