#!/bin/sh
# usage: base-image.sh TAG [DEBIAN.tar]
# Creates a substitute for the official image `node:…-bookworm-slim` if no image registry is reachable, as in an isolated CI: Debian 12 by
# mmdebstrap, and Node and npm from the npm registry. Needs root and mmdebstrap, or an existing root file system of Debian 12 from mmdebstrap.
set -eu
tag=$1
node=$(dirname "$0")/../../node_modules/node/bin/node
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/root"
if [ $# -gt 1 ]; then
  tar -C "$work/root" -xf "$2"
else
  mmdebstrap --variant=minbase --include=ca-certificates bookworm "$work/root"
fi
mkdir -p "$work/root/usr/local/bin"
cp "$node" "$work/root/usr/local/bin/node"
npm install --global --prefix "$work/root/usr/local" --ignore-scripts --no-audit --no-fund npm@11
# Additional certificates that this machine trusts, such as that of a proxy.
if ls /usr/local/share/ca-certificates/*.crt > /dev/null 2>&1; then
  cp /usr/local/share/ca-certificates/*.crt "$work/root/usr/local/share/ca-certificates/"
  env -u TMPDIR chroot "$work/root" update-ca-certificates
  printf 'cafile=/etc/ssl/certs/ca-certificates.crt\n' > "$work/root/usr/local/lib/node_modules/npm/npmrc"
fi
rm -rf "$work/root/var/lib/apt/lists" "$work/root/var/cache/apt"
mkdir -p "$work/root/var/lib/apt/lists/partial" "$work/root/var/cache/apt/archives/partial"
# Keeps Debian from starting services in the container.
printf '#!/bin/sh\nexit 101\n' > "$work/root/usr/sbin/policy-rc.d"
chmod +x "$work/root/usr/sbin/policy-rc.d"
tar -C "$work/root" -c . | docker import --change 'CMD ["node"]' - "$tag"
