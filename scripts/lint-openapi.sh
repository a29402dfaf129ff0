#!/usr/bin/env bash
# Reads openapi.json with Redocly's linter and with Spectral, as .redocly.yaml and .spectral.yaml say.
#   bash scripts/lint-openapi.sh
# Promise: a warning fails. The linters (80 MB) are installed beside the project, into node_modules/.cache, so that they are not in
# the lock file; they send nothing home.
set -euo pipefail
cd "$(dirname "$0")/.."
linters=(@redocly/cli@2.77.0 @stoplight/spectral-cli@6.16.3)

folder=$PWD/node_modules/.cache/openapi-linters-$(echo "${linters[*]}" | cksum | cut -d' ' -f1)
if [ ! -f "$folder/complete" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  echo '{"private":true}' >"$folder/package.json"
  npm install --prefix "$folder" --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel error "${linters[@]}"
  touch "$folder/complete"
fi

export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
status=0
"$folder/node_modules/.bin/redocly" lint --config .redocly.yaml --format codeframe openapi.json || status=1
"$folder/node_modules/.bin/spectral" lint --ruleset .spectral.yaml --fail-severity hint openapi.json || status=1
exit "$status"
