#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The checks check: each rule of layering.sh and tidiness.sh is broken once in a small tree of its
# own, and must be the one reported. An untouched tree must pass.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
spdx='// SPDX-License-Identifier: GPL-2.0-or-later'
failed=0

# expect <script> <message, or nothing for a pass> <file> <content, for printf %b>
expect() {
  local output status=0
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/$(dirname "$3")"
  printf '%b' "$4" >"$tree/$3"
  output=$("$here/$1" "$tree") || status=$?
  if [[ -z $2 && $status -eq 0 ]]; then return; fi
  if [[ -n $2 && $status -eq 1 && $output == "$2: ./$3"*'1 finding(s)' ]]; then return; fi
  printf 'expected "%s", got status %d for %s:\n%s\n' "$2" "$status" "$3" "$output"
  failed=1
}

sources=model/futex/core.cpp
expect tidiness.sh '' $sources "$spdx\n"
expect tidiness.sh '' run "#!/bin/sh\n#${spdx#//}\n"
expect tidiness.sh 'no SPDX line at the top' $sources "\n$spdx\n"
expect tidiness.sh 'no SPDX line at the top' $sources ''
expect tidiness.sh 'over 400 lines' $sources "$spdx\n$(printf '\\n%.0s' {1..400})"
expect tidiness.sh '' $sources "$spdx\n//$(printf 'é%.0s' {1..98})\n"
expect tidiness.sh 'over 100 columns' $sources "$spdx\n//$(printf 'é%.0s' {1..99})\n"
expect tidiness.sh 'tab' $sources "$spdx\n\tint x;\n"
expect tidiness.sh 'blank at the end of a line' $sources "$spdx\nint x; \n"
for word in TO FIX; do
  case $word in TO) word+=DO ;; FIX) word+=ME ;; esac
  expect tidiness.sh 'unfinished' $sources "$spdx\n// $word later\n"
done
expect tidiness.sh 'disabled test' tests/a.cpp "$spdx\nTEST(A, DIS""ABLED_b) {}\n"
expect tidiness.sh 'path of one machine' $sources "$spdx\nauto x = \"/home/me\";\n"
expect tidiness.sh '' tests/a.cpp "$spdx\nauto x = \"/home/me\";\n"
expect tidiness.sh '' $sources "$spdx\n// see kernel/home and //home\n"

expect layering.sh '' model/kernel/a.hpp '#include "checker/cell.hpp"\n#include <atomic>\n'
expect layering.sh 'checker reaches up' checker/a.hpp '#include "model/kernel/lock.hpp"\n'
expect layering.sh 'checker reaches up' checker/b/a.hpp '# include <cli/options.hpp>\n'
expect layering.sh 'model reaches up' model/kernel/a.cpp '#include "properties/p.hpp"\n'
expect layering.sh 'properties reaches up' properties/a.cpp '#include "cli/options.hpp"\n'
expect layering.sh 'cli reaches up' cli/a.cpp '#include <tests/a.hpp>\n'
expect layering.sh 'not included from the root' model/a.cpp '#include "../checker/cell.hpp"\n'
exit $failed
