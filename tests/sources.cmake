# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests that read the sources: the scripts of tests/tidiness, cppcheck, clang-tidy, and the pages.
foreach(check layering tidiness)
  add_test(NAME ${check} COMMAND "tidiness/${check}.sh" "${PROJECT_SOURCE_DIR}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set_tests_properties(${check} PROPERTIES LABELS quick TIMEOUT 120)
endforeach()
add_test(NAME tidiness.catches COMMAND tidiness/catches.sh
  WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
set_tests_properties(tidiness.catches PROPERTIES LABELS quick TIMEOUT 120)

# A linter that is not installed leaves its test listed as disabled rather than absent.
function(futexmc_lint_test name label program)
  if(NOT program)
    set(program "${name}")
    set(disabled ON)
  else()
    set(disabled OFF)
  endif()
  add_test(NAME ${name} COMMAND "${program}" ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES
    LABELS ${label} TIMEOUT 3600 PROCESSORS ${processors} DISABLED ${disabled})
endfunction()

file(GLOB_RECURSE units CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/checker/*.cpp" "${PROJECT_SOURCE_DIR}/model/*.cpp"
  "${PROJECT_SOURCE_DIR}/properties/*.cpp" "${PROJECT_SOURCE_DIR}/cli/*.cpp")
if(NOT units)
  return()
endif()

set(cppcheck_results "${PROJECT_BINARY_DIR}/cppcheck")
file(MAKE_DIRECTORY "${cppcheck_results}")
futexmc_lint_test(cppcheck lint "${CPPCHECK}"
  --quiet --error-exitcode=1 --std=c++20 --language=c++ --inline-suppr
  --enable=warning,performance,portability -I .
  --suppressions-list=cmake/cppcheck-suppressions.txt
  --cppcheck-build-dir=${cppcheck_results} -j ${processors} ${units})

futexmc_lint_test(clang-tidy tidy "${RUN_CLANG_TIDY}"
  -quiet -p "${PROJECT_BINARY_DIR}" -j ${processors}
  -extra-arg=-Wno-unknown-warning-option  # GCC's names among the compile commands
  "^${PROJECT_SOURCE_DIR}/(checker|model|properties|cli)/.*[.]cpp$")

# A page whose commands are run as they stand: it builds the program in a copy of the sources.
add_test(NAME docs.checking-a-patch COMMAND docs/checking_a_patch.sh "${PROJECT_SOURCE_DIR}"
  "${CMAKE_CURRENT_BINARY_DIR}/checking-a-patch" WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
set_tests_properties(docs.checking-a-patch PROPERTIES
  LABELS build TIMEOUT 1800 PROCESSORS ${processors})
