# SPDX-License-Identifier: GPL-2.0-or-later
#
# How every file is compiled: the language, the warnings, the sanitizers, and the tools around the
# compiler. Warnings are errors in the presets only, so that a newer compiler can build a release.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Archives, executables and nothing else: no file needs to be position independent beyond PIE.
set(BUILD_SHARED_LIBS OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  -Wold-style-cast -fdiagnostics-color=auto)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on `"literal" + std::string` when optimising (GCC bug 105329 and its like). They
  # come and go with the length of the literal, which may be the path of this directory.
  add_compile_options(-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
    -Wno-stringop-overread)
endif()

if(FUTEXMC_SANITIZE)
  # Model threads run on stacks inside the arena, which the search copies back and forth. ASan's
  # own bookkeeping of stack variables cannot follow that, so it checks the heap and globals only.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options("SHELL:-mllvm -asan-stack=0")
  else()
    # GCC's uninitialised-value warnings are guesses once the sanitizers have rewritten the code.
    add_compile_options(--param=asan-stack=0 -Wno-maybe-uninitialized)
  endif()
endif()

if(FUTEXMC_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "FUTEXMC_FUZZ needs clang: use `cmake --preset fuzz`")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

find_program(CLANG_TIDY clang-tidy)
find_program(RUN_CLANG_TIDY run-clang-tidy)
find_program(CPPCHECK cppcheck)
mark_as_advanced(CLANG_TIDY RUN_CLANG_TIDY CPPCHECK)
if(FUTEXMC_LINT_WHILE_BUILDING)
  if(NOT CLANG_TIDY)
    message(FATAL_ERROR "FUTEXMC_LINT_WHILE_BUILDING needs clang-tidy: run `cmake/setup.sh tidy`")
  endif()
  set(CMAKE_CXX_CLANG_TIDY "${CLANG_TIDY}" --quiet)
endif()

# futexmc_compile_fast(<target>): little optimisation, for code where no time is spent.
function(futexmc_compile_fast target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# futexmc_compile_together(<target>): several files to a unit, as most of the time goes into the
# templates of JSON and gtest, which are the same in each. Not where clang-tidy reads the commands.
function(futexmc_compile_together target)
  if(NOT FUTEXMC_LINT_WHILE_BUILDING)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()
