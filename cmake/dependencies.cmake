# SPDX-License-Identifier: GPL-2.0-or-later
#
# Third-party libraries, as imported targets. Each comes from the Debian 12 package named beside
# it; cmake/setup.sh installs the same list. A new library goes into both files.

# Says which package to install when a library is missing, which find_package cannot know.
macro(futexmc_require package debian_package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR
      "${package} not found: install the package ${debian_package}, or run cmake/setup.sh")
  endif()
endmacro()

# Linked statically: the fiber switch is on the hot path and need not go through the PLT.
set(Boost_USE_STATIC_LIBS ON)
futexmc_require(Boost libboost-context-dev 1.74 COMPONENTS context)
futexmc_require(fmt libfmt-dev 9)
futexmc_require(nlohmann_json nlohmann-json3-dev 3.11)
futexmc_require(CLI11 libcli11-dev 2.1)
futexmc_require(rapidcheck librapidcheck-dev)

# The package keeps its configuration outside CMake's usual search path.
futexmc_require(pegtl tao-pegtl-dev 3.2 HINTS /usr/share/pegtl/cmake)

# Its CMake configuration names no target that could be linked.
find_path(Z3_INCLUDE_DIR z3++.h)
find_library(Z3_LIBRARY z3)
mark_as_advanced(Z3_INCLUDE_DIR Z3_LIBRARY)
if(NOT Z3_INCLUDE_DIR OR NOT Z3_LIBRARY)
  message(FATAL_ERROR "Z3 not found: install the package libz3-dev, or run cmake/setup.sh")
endif()
add_library(z3::z3 UNKNOWN IMPORTED)
set_target_properties(z3::z3 PROPERTIES
  IMPORTED_LOCATION "${Z3_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${Z3_INCLUDE_DIR}")

# xxHash has no CMake configuration in Debian 12.
find_path(XXHASH_INCLUDE_DIR xxhash.h)
find_library(XXHASH_LIBRARY xxhash)
mark_as_advanced(XXHASH_INCLUDE_DIR XXHASH_LIBRARY)
if(NOT XXHASH_INCLUDE_DIR OR NOT XXHASH_LIBRARY)
  message(FATAL_ERROR
    "xxHash not found: install the package libxxhash-dev, or run cmake/setup.sh")
endif()
add_library(xxhash::xxhash UNKNOWN IMPORTED)
set_target_properties(xxhash::xxhash PROPERTIES
  IMPORTED_LOCATION "${XXHASH_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${XXHASH_INCLUDE_DIR}")

if(BUILD_TESTING)
  futexmc_require(GTest libgtest-dev 1.12)
endif()
