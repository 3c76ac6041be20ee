# SPDX-License-Identifier: GPL-2.0-or-later
#
# A layer is a directory at the root of the repository and the library built from it. Files are
# found by name, so a new one needs no edit here; headers are included from the root
# ("checker/cell.hpp"). Layers depend downwards only, which tests/tidiness/layering.sh checks.

# futexmc_layer(<name> [LIGHT] [ON <layer below>] [EXCEPT <file>...] [LINK <library>...]
#               [PRECOMPILE <header>...])
#
# Makes the library futexmc_<name> and its alias futexmc::<name>. A layer of headers alone, or one
# with no file yet, is an INTERFACE library; giving it a first .cpp turns it into an archive.
# LIGHT: no search runs in it, so it is built for a short build: see futexmc_compile_fast().
function(futexmc_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "LIGHT" "ON" "EXCEPT;LINK;PRECOMPILE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/${name}/*.cpp")
  if(layer_EXCEPT)
    list(REMOVE_ITEM sources ${layer_EXCEPT})
  endif()

  set(target futexmc_${name})
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(futexmc::${name} ALIAS ${target})

  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} ${scope} ${layer_LINK})
  if(sources AND layer_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${layer_PRECOMPILE})
  endif()
  if(sources AND layer_LIGHT)
    futexmc_compile_fast(${target})
    futexmc_compile_together(${target})
  endif()
  if(layer_ON)
    target_link_libraries(${target} ${scope} futexmc::${layer_ON})
  endif()
endfunction()

# Definitions for the layer's own .cpp files; a layer without any needs none.
function(futexmc_layer_definitions name)
  get_target_property(type futexmc_${name} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_compile_definitions(futexmc_${name} PRIVATE ${ARGN})
  endif()
endfunction()
