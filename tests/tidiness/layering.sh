#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Dependencies point down only: cli -> properties -> model -> checker. Usage: layering.sh [ROOT]
source "$(dirname "${BASH_SOURCE[0]}")/sources.sh"
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

readonly include='^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*[<"]'

# forbid <directory> <what its files may not include, as a regular expression>
forbid() {
  report "$1 reaches up" < <(matching "${include}($2)/" -path "./$1/*")
}

forbid checker 'model|properties|cli|tests|bench'
forbid model 'properties|cli|tests|bench'
forbid properties 'cli|tests|bench'
forbid cli 'tests|bench'

# An include that starts elsewhere would get around the rules above.
report 'not included from the root' < <(
  for layer in checker model properties cli; do
    matching '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*"' -path "./$layer/*" |
      grep -vE 'include[[:blank:]]*"(checker|model|properties|cli)/' || true
  done
)
conclude
