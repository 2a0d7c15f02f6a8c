#!/bin/sh
# usage: copy-files.sh TARGET [--libraries-of PROGRAM] FILE|FOLDER…
# Copies Debian files to TARGET, with the shared libraries that programs load. Records the package of each file in
# var/lib/dpkg/status.d, which vulnerability scanners read, and copies its licence.
set -eu
target=$1
shift

for link in bin sbin lib lib64; do
  mkdir -p "$target/usr/$link"
  [ -e "$target/$link" ] || ln -s "usr/$link" "$target/$link"
done
mkdir -p "$target/var/lib/dpkg/status.d"

# Another package may have renamed the file (a dpkg diversion).
owners() {
  dpkg-query --search "$1" 2>/dev/null | grep --invert-match '^diversion by '
}

record() {
  owner=$(owners "$1" || owners "${1#/usr}") || return 0
  package=${owner%%[:,]*}
  [ -e "$target/var/lib/dpkg/status.d/$package" ] && return 0
  dpkg-query --status "$package" > "$target/var/lib/dpkg/status.d/$package"
  licence=/usr/share/doc/$package/copyright
  if [ -f "$licence" ]; then
    mkdir -p "$target/usr/share/doc/$package"
    cp "$licence" "$target/usr/share/doc/$package/"
  fi
}

libraries() {
  ldd "$1" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do copy "$library"; done
}

# Copies a link as a link, then its target.
copy() {
  path=$(realpath "$(dirname "$1")")/$(basename "$1")
  [ -e "$target$path" ] && [ ! -d "$path" ] && return 0
  record "$path"
  mkdir -p "$target$(dirname "$path")"
  cp -a "$path" "$target$(dirname "$path")/"
  if [ -L "$path" ]; then
    copy "$(realpath "$path")"
  elif [ -f "$path" ] && [ -x "$path" ]; then
    libraries "$path"
  fi
}

while [ $# -gt 0 ]; do
  if [ "$1" = --libraries-of ]; then
    shift
    libraries "$1"
  else
    copy "$1"
  fi
  shift
done
