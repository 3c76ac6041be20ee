#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What herd7 says of litmus tests, a line each: name, observation, race or no-race.
#
#   verdicts.sh KERNEL-TREE FILE...
#
# The stored lists were made with herd7 7.58 and the memory model of v7.3:
#   litmus write DIR
#   verdicts.sh TREE DIR/*.litmus                                        # generated.txt
#   verdicts.sh TREE TREE/tools/memory-model/litmus-tests/*.litmus       # kernel.txt
#
# A test that herd7 does not finish in SECONDS_EACH (60) is listed as `Unfinished`, one it refuses
# as `Refused`. HERD7 names the program to run; HERD7_OPTIONS are more options for it.
set -euo pipefail

if (($# < 2)); then
  echo "usage: $0 KERNEL-TREE FILE..." >&2
  exit 64
fi
herd7=${HERD7:-herd7}
read -ra options <<<"${HERD7_OPTIONS:-}"
model=$1/tools/memory-model
shift
if [[ ! -e $model/linux-kernel.cfg ]]; then
  echo "$0: no memory model in $model" >&2
  exit 64
fi

for file in "$@"; do
  file=$(realpath "$file")
  status=0
  output=$(cd "$model" && timeout "${SECONDS_EACH:-60}" "$herd7" -conf linux-kernel.cfg \
    "${options[@]}" "$file" 2>&1) || status=$?
  race=no-race
  if grep -q '^Flag data-race' <<<"$output"; then race=race; fi
  verdict=$(awk '/^Observation/ { print $2, $3 }' <<<"$output")
  if [[ -n $verdict ]]; then
    echo "$verdict $race"
  elif ((status == 124)); then
    echo "$(basename "$file" .litmus) Unfinished"
  else
    echo "$(basename "$file" .litmus) Refused"
  fi
done
