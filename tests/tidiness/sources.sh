# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the scripts beside it: which files are looked at, and how a finding is reported.
set -euo pipefail
export LC_ALL=C.UTF-8  # columns are characters, not bytes

findings=0

# report <rule>: one finding per line of standard input, "file[:line[:text]]".
report() {
  local line
  while IFS= read -r line; do
    printf '%s: %s\n' "$1" "$line"
    findings=$((findings + 1))
  done
}

# conclude: the script's exit status.
conclude() {
  if ((findings > 0)); then
    printf '%d finding(s)\n' "$findings"
    exit 1
  fi
}

# sources [find expression]: the source files below the current directory, NUL-separated.
sources() {
  find . \( -name .git -o -path ./build -o -path ./.cache \) -prune -o -type f \
    \( -name '*.cpp' -o -name '*.hpp' -o -name '*.c' -o -name '*.h' -o -name '*.cmake' \
    -o -name CMakeLists.txt -o -name '*.sh' -o -name '*.py' -o -name '*.pml' -o -name '*.futex' \
    -o -path ./run -o -path ./test -o -path ./.ci/run \
    -o -name .clang-format -o -name .clang-tidy -o -name .editorconfig -o -name .gitignore \) \
    "$@" -print0 | sort -z
}

# matching <pattern> [find expression]: the lines that match an extended regular expression.
matching() {
  local pattern=$1
  shift
  sources "$@" | xargs -0 -r grep -HnE -- "$pattern" || true
}
