#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs the Debian 12 packages that are missing, and does nothing when all are there.
#
#   cmake/setup.sh          what building and testing need
#   cmake/setup.sh tidy     that, and what .ci/run needs
#
# Everything it prints goes to standard error. The libraries are those of dependencies.cmake.
set -euo pipefail
exec >&2

packages=(
  cmake
  cppcheck
  g++
  libboost-context-dev
  libcli11-dev
  libfmt-dev
  libgtest-dev
  librapidcheck-dev
  libxml2-utils
  libxxhash-dev
  libz3-dev
  ninja-build
  nlohmann-json3-dev
  python3-jsonschema
  tao-pegtl-dev
)
case ${1-} in
  '') ;;
  tidy) packages+=(clang-tidy) ;;
  *)
    echo "usage: $0 [tidy]"
    exit 64
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system: going on, with what these packages contain: ${packages[*]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status} ' "$package" 2>/dev/null) || true
  [[ " $status" == *' installed '* ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then exit 0; fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages, and no sudo to install them with: ${missing[*]}"
    exit 1
  fi
  as_root=(sudo)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@" \
    </dev/null
}
install() {
  apt install -y --no-install-recommends "${missing[@]}"
}

# The package lists are fetched only if those at hand do not serve: absent, or out of date.
echo "Installing: ${missing[*]}"
if ! install; then
  echo 'Fetching the package lists and trying again'
  apt update
  install
fi
