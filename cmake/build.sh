#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build.sh <preset> [target]...: configures a preset and builds it, or the targets named.
# Works from any directory; everything printed goes to standard error.
set -euo pipefail
exec >&2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=$1
shift

# Configured every time, so that a tool installed since is found; that takes a fraction of a second.
if ! log=$(cmake -S "$root" --preset "$preset" 2>&1); then
  printf '%s\n' "$log"
  exit 1
fi
cmake --build "$root/build/$preset" ${1+--target "$@"}
