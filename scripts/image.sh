#!/usr/bin/env bash
# Builds the container image and lives a life in it: scripts/container-life.ts, which writes its transcript into the guide.
#   bash scripts/image.sh
# Takes docker where its engine runs, otherwise podman, otherwise ends with 0 and says so. Without a registry, the base is made with
# debootstrap (as root) and Node is this checkout's. BASE, BUILD_BASE and ENGINE (a command with its options) can be set.
# Before that, scripts/compose-nodes.ts runs the other shape as processes, where PostgreSQL and Caddy are there.
# Needs npm ci and curl. Minutes. Ends with status 1 at the first promise that does not hold, and leaves nothing behind.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"
say() { echo "image: $*"; }
work=$(mktemp -d)
chmod 755 "$work"
cleanup() {
  # Podman mounts its overlay folder on itself.
  umount "$work/storage/overlay" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT

if [ -z "${MXPROOF_PROXY_DIR:-}" ] && command -v apt-get >/dev/null && bash scripts/unpack-proxies.sh "$work/proxies" >/dev/null 2>&1; then
  export MXPROOF_PROXY_DIR=$work/proxies
fi
node scripts/with-node.mjs node scripts/compose-nodes.ts
if command -v docker >/dev/null && docker compose version >/dev/null 2>&1; then
  docker compose -f compose.yaml config -q
  POSTGRES_PASSWORD=- MXPROOF_SECRET_KEY=- MXPROOF_DOMAIN=verify.example.com MXPROOF_HELO_NAME=probe.example.com \
    docker compose -f deploy/compose.nodes.yaml config -q
  say 'docker compose accepts both files'
fi

# A storage of its own, which is gone afterwards; without systemd and, where the kernel has no overlay for it, with whole copies.
own_podman() {
  local each podman="podman --root $work/storage --runroot $work/run --cgroup-manager cgroupfs"
  command -v runc >/dev/null && podman+=' --runtime runc'
  for each in overlay vfs; do
    ENGINE="$podman --storage-driver $each"
    ! $ENGINE info >/dev/null 2>&1 || return 0
    rm -rf "$work/storage" "$work/run"
  done
  $ENGINE info
}
if [ -z "${ENGINE:-}" ]; then
  if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
    ENGINE=docker
  elif command -v podman >/dev/null; then
    own_podman
  else
    say 'skipped: no podman or docker'
    exit 0
  fi
fi
say "with ${ENGINE%% *}"
is_podman() { [ "${ENGINE##*/}" != docker ]; }

# $1: an image. Whether it is here, or a registry has it.
has_image() { $ENGINE image inspect "$1" >/dev/null 2>&1 || timeout 60 $ENGINE pull -q "$1" >/dev/null 2>&1; }

default_of() { sed -n "s/^ARG $1=//p" Dockerfile; }
BASE=${BASE:-$(default_of BASE)}
BUILD_BASE=${BUILD_BASE:-$(default_of BUILD_BASE)}
if ! has_image "$BASE"; then
  command -v debootstrap >/dev/null || { say "skipped: no registry has $BASE, and there is no debootstrap"; exit 0; }
  say "no registry has $BASE: debootstrap makes a base"
  debootstrap --variant=minbase trixie "$work/base" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; exit 1; }
  rm -rf "$work"/base/var/cache/apt/archives/*.deb "$work"/base/var/lib/apt/lists/*
  BASE=localhost/mxproof-base:latest
  tar -C "$work/base" -c . | $ENGINE import - "$BASE" >/dev/null
  rm -rf --one-file-system "$work/base"
fi
options=()
if is_podman; then options+=(--isolation chroot --network host --format docker); fi
if ! has_image "$BUILD_BASE"; then
  say "no registry has $BUILD_BASE: the base gets this checkout's Node and this machine's npm"
  mkdir "$work/build-base"
  cp "$here/node_modules/node-linux-$(node -p process.arch)/bin/node" "$work/build-base/node"
  cp -rL "$(npm root -g)/npm" "$work/build-base/npm"
  cp /etc/ssl/certs/ca-certificates.crt "$work/build-base/"
  cat >"$work/build-base/Dockerfile" <<END
FROM $BASE
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY ca-certificates.crt /etc/ssl/certs/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt npm_config_cafile=/etc/ssl/certs/ca-certificates.crt
END
  BUILD_BASE=localhost/mxproof-build-base:latest
  $ENGINE build "${options[@]}" -t "$BUILD_BASE" "$work/build-base" >"$work/build-base.log" 2>&1 || { tail "$work/build-base.log"; exit 1; }
fi

# As npm is set up on this machine, in the build only.
if is_podman; then
  [ -f "$HOME/.npmrc" ] && options+=(--volume "$HOME/.npmrc:/root/.npmrc:ro")
  options+=(--volume "$(npm config get cache 2>/dev/null):/root/.npm")
fi
image=localhost/mxproof:test
version=$(node -p 'require("./package.json").version')
$ENGINE build "${options[@]}" --build-arg BASE="$BASE" --build-arg BUILD_BASE="$BUILD_BASE" --build-arg VERSION="$version" \
  --build-arg REVISION="$(git rev-parse HEAD 2>/dev/null || echo unknown)" -t "$image" . >"$work/build.log" 2>&1 ||
  { tail -40 "$work/build.log"; say 'FAILED: the build'; exit 1; }
say "built in $SECONDS s"
CONTAINER_ENGINE="$ENGINE" node scripts/with-node.mjs node scripts/container-life.ts "$image" "$BASE"
