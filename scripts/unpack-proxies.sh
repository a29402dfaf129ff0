#!/usr/bin/env bash
# nginx and Caddy, for the test that runs the examples of docs/guide/https.md. Debian's packages are unpacked below DIR
# and not installed, which would start them.
#   apt-get update && bash scripts/unpack-proxies.sh DIR && MXPROOF_PROXY_DIR=DIR npm run test:more
set -euo pipefail
[ $# = 1 ] || { echo "usage: bash $0 DIR" >&2; exit 2; }
mkdir -p "$1" && cd "$1"
apt-get download -q -o APT::Sandbox::User=root nginx caddy
for deb in ./*.deb; do dpkg-deb -x "$deb" . && rm "$deb"; done
usr/sbin/nginx -v
usr/bin/caddy version
