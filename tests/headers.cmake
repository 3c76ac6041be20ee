# SPDX-License-Identifier: GPL-2.0-or-later
#
# The test `headers`: every header compiles alone, and twice. The target is not part of `all`, so
# that a build pays for it only when the test runs.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/checker/*.hpp" "${PROJECT_SOURCE_DIR}/model/*.hpp"
  "${PROJECT_SOURCE_DIR}/properties/*.hpp" "${PROJECT_SOURCE_DIR}/cli/*.hpp"
  "${PROJECT_SOURCE_DIR}/tests/*.hpp")
if(NOT headers)
  return()
endif()

set(units "")
foreach(header IN LISTS headers)
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp")
  file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"@header@\"\n#include \"@header@\"\n" @ONLY)
  list(APPEND units "${unit}")
endforeach()

add_library(headers OBJECT EXCLUDE_FROM_ALL ${units})
target_link_libraries(headers PRIVATE futexmc::cli rapidcheck_gtest GTest::gtest)
target_compile_options(headers PRIVATE -O0 -g0)
# What the test programs are given; here only the names have to exist.
target_compile_definitions(headers PRIVATE FUTEXMC_SCENARIO_DIR="" FUTEXMC_TRACE_DIR=""
  FUTEXMC_TEST_DIR="" FUTEXMC_PROGRAM="")
set_target_properties(headers PROPERTIES CXX_CLANG_TIDY "")

# It compiles on every processor, and alone, because a build may have to configure again.
add_test(NAME headers
  COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target headers)
set_tests_properties(headers PROPERTIES LABELS build TIMEOUT 1800 RUN_SERIAL ON)
