#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What every source file must look like. Usage: tidiness.sh [ROOT]
# The patterns are written so that they do not match themselves.
source "$(dirname "${BASH_SOURCE[0]}")/sources.sh"
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

readonly spdx='SPDX-License-Identifier: GPL-2.0-or-later'
readonly max_lines=400

without_license() {
  local file first
  while IFS= read -r -d '' file; do
    first=$(sed -n '1{/^#!/!{p;q}};2{p;q}' "$file")
    [[ $first == *"$spdx"* ]] || printf '%s\n' "$file"
  done < <(sources)
}

too_long() {
  local file lines
  while IFS= read -r -d '' file; do
    lines=$(wc -l <"$file")
    ((lines <= max_lines)) || printf '%s: %d lines\n' "$file" "$lines"
  done < <(sources)
}

report 'no SPDX line at the top' < <(without_license)
report "over $max_lines lines" < <(too_long)
report 'over 100 columns' < <(matching '^.{101,}')
report 'tab' < <(matching $'\t')
report 'blank at the end of a line' < <(matching '[[:blank:]]$')
report 'unfinished' < <(matching '\<(T[O]DO|FIX[M]E|X[X]X)\>')
report 'disabled test' < <(matching 'DIS[A]BLED_')
report 'path of one machine' < <(
  matching '(^|[^][[:alnum:]_.}*?)/-])/(home|mnt|opt|root|srv|tmp|work|workspace)(/|\>)' \
    -not -path './tests/*')
conclude
