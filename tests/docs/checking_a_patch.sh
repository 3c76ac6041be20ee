#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the commands of docs/checking-a-patch.md as they stand, in a copy of the sources, and looks
# for what the page shows in what they print. Usage: checking_a_patch.sh ROOT SCRATCH
#
# SCRATCH keeps its build: the next run compiles what has changed since.
set -euo pipefail
root=$1
scratch=$2
page=$root/docs/checking-a-patch.md

mkdir -p "$scratch"
find "$scratch" -mindepth 1 -maxdepth 1 -not -name build -exec rm -rf {} +
for entry in CMakeLists.txt CMakePresets.json bench checker cli cmake model properties run tests; do
  cp -a "$root/$entry" "$scratch/"
done

# blocks LANGUAGE: the contents of the page's fenced blocks of this language, one after the other.
blocks() {
  awk -v fence="\`\`\`$1" '$0 == "```" { inside = 0 } inside { print } $0 == fence { inside = 1 }' \
    "$page"
}

commands=$(blocks sh)
expected=$(blocks text)
[[ -n $commands && -n $expected ]] || { echo "no commands, or no output, in $page"; exit 1; }

status=0
output=$(cd "$scratch" && bash -uc "$commands" 2>"$scratch/stderr") || status=$?
if ((status != 0)) || [[ $output != *"$expected"* ]]; then
  printf 'status %d; the page shows:\n%s\n\nthis was printed:\n%s\n' "$status" "$expected" "$output"
  tail -n 50 "$scratch/stderr"
  exit 1
fi
