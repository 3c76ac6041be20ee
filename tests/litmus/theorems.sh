#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares our verdicts on the memory theorems' litmus tests with herd7's.
#
#   theorems.sh FUTEXMC LITMUS-PROGRAM TREE [OPTIONS OF `futexmc prove`]...
#
# FUTEXMC writes them (by default for each memory theorem on v7.3), LITMUS-PROGRAM is the program
# `litmus` built beside this script, TREE has the memory model, HERD7 names the herd7 to run. What
# herd7 does not finish in SECONDS_EACH (60) is counted apart. Nothing is kept, unless KEEP names a
# directory. Exit: 0 if all that it finished agree, 1 if not, 64 for a wrong command line.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if (($# < 3)); then
  echo "usage: $0 FUTEXMC LITMUS-PROGRAM TREE [PROVE-OPTION]..." >&2
  exit 64
fi
futexmc=$1
litmus=$2
tree=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tests=${KEEP:-$scratch/tests}

if [[ " $* " != *" --theorem "* ]]; then
  for theorem in $("$futexmc" list theorems | awk '/^memory-/ { print $1 }'); do
    set -- "$@" --theorem "$theorem"
  done
fi
# What is refuted has another exit code.
"$futexmc" prove "$@" --litmus "$tests" >"$scratch/claims" || (($? < 64))
grep -E ' (proved|refuted|unknown) ' "$scratch/claims"

"$litmus" run "$tests"/*.litmus | awk '{ print $1, $2, $3 }' | sort >"$scratch/ours"
# And what each test says of itself.
grep -H '^ \* Result: ' "$tests"/*.litmus | sed -E 's#.*/(.*)\.litmus:.*: #\1 #' |
  sort >"$scratch/stated"
# Executions that do not answer the question need no look at the model.
HERD7_OPTIONS='-speedcheck fast' "$here/verdicts.sh" "$tree" "$tests"/*.litmus |
  sort >"$scratch/herd"
grep -v ' Unfinished$' "$scratch/herd" >"$scratch/finished" || true
# With them left out, what is possible is all there is: `Always`.
plain() { sed 's/ Always / Sometimes /' "$1"; }
differ=0
diff <(plain "$scratch/ours" | cut -d' ' -f1,2) "$scratch/stated" || differ=1
diff <(plain "$scratch/finished") \
  <(plain "$scratch/ours" | join - <(cut -d' ' -f1 "$scratch/finished")) || differ=1
echo "$(wc -l <"$scratch/ours") tests, $(wc -l <"$scratch/finished") finished by herd7:" \
  "$(grep -c ' Never ' "$scratch/finished" || true) Never," \
  "$(plain "$scratch/finished" | grep -c ' Sometimes ' || true) Sometimes"
if ((differ == 0)); then echo 'all agree'; fi
exit "$differ"
