#!/bin/sh
# Entry point of the container image. Promise: of all containers on one volume, one uses it.
# The data folder's own lock knows its holder by a process number, which says nothing in another container. So the kernel's lock on a
# file of the volume comes first; it is held by this process, which becomes the service, and ends with it however that ends.
set -eu
# A worker uses no volume: without a database it is refused, by its own command.
database="${DATABASE_URL:-}${DATABASE_URL_FILE:-}"
if [ -z "$database" ] && [ -n "${MXPROOF_CONFIG:-}" ]; then
  database=$(grep -E '^[[:space:]]*(export[[:space:]]+)?DATABASE_URL(_FILE)?[[:space:]]*=' "$MXPROOF_CONFIG" || true)
fi
if [ -z "$database" ] && [ "${1:-}" != work ]; then
  if [ ! -w "$MXPROOF_DATA_DIR" ]; then
    echo "User $(id -u) cannot write to $MXPROOF_DATA_DIR: use a volume of its own, or run \"chown $(id -u):$(id -g)\" on the folder that is mounted there." >&2
    exit 1
  fi
  exec 9>>"$MXPROOF_DATA_DIR/container.lock"
  if ! flock -n 9; then
    echo 'Another container uses this volume: stop it first. For commands beside a running service, use "docker exec CONTAINER mxproof …".' >&2
    exit 1
  fi
fi
# With the launcher's own flags, so that it does not start itself again: Node closes the lock's file when it does.
exec node --max-semi-space-size=16 --no-parallel-scavenge /usr/local/bin/mxproof "$@"
