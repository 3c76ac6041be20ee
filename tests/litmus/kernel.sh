#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares our verdicts on the kernel's own litmus tests with herd7's.
#
#   kernel.sh LITMUS-PROGRAM TREE          with the tests in a kernel tree
#   kernel.sh LITMUS-PROGRAM --download    with those of Debian's linux-source, fetched now
#
# LITMUS-PROGRAM is the program `litmus` built beside this script. The verdicts are the stored ones
# of kernel.txt and, if HERD7 names a herd7 that can be run, those it gives now. Nothing is kept.
# Exit: 0 if all agree, 1 if not, 64 for a wrong command line.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if (($# != 2)); then
  echo "usage: $0 LITMUS-PROGRAM TREE|--download" >&2
  exit 64
fi
litmus=$(realpath "$1")
tree=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [[ $tree == --download ]]; then
  package=$(apt-cache depends linux-source | awk '/Depends: linux-source-/ { print $2; exit }')
  (cd "$scratch" && apt-get -q download "$package" && dpkg-deb -x ./*.deb .)
  tar -C "$scratch" -xf "$scratch"/usr/src/linux-source-*.tar.xz --wildcards \
    '*/tools/memory-model/*'
  tree=$(echo "$scratch"/linux-source-*)
fi

tests=("$tree"/tools/memory-model/litmus-tests/*.litmus)
"$litmus" run "${tests[@]}" | awk '{ print $1, $2, $3 }' | sort >"$scratch/ours"
echo "$(wc -l <"$scratch/ours") tests"
differ=0
if ! diff <(sort "$here/kernel.txt") "$scratch/ours"; then differ=1; fi
if [[ -n ${HERD7-} ]]; then
  "$here/verdicts.sh" "$tree" "${tests[@]}" | sort >"$scratch/herd"
  if ! diff "$scratch/herd" "$scratch/ours"; then differ=1; fi
fi
if ((differ == 0)); then echo 'all agree'; fi
exit "$differ"
