#!/bin/sh
# Checks contract/openapi.yaml with the linters that other people use. None of them is a dependency: those
# that are in the PATH are run, and the others are named.
#   npm install --global @redocly/cli @stoplight/spectral-cli; pip install openapi-spec-validator
set -u
document="$(dirname "$0")/../contract/openapi.yaml"
rules="$(mktemp -d)"
trap 'rm -r "$rules"' EXIT
printf 'extends: ["spectral:oas"]\n' > "$rules/spectral.yaml"
failed=0

try() {
  if ! command -v "$1" > /dev/null; then
    echo "$1 is not installed and was not run"
  elif "$@"; then
    echo "$1: no findings"
  else
    failed=1
  fi
}

try redocly lint --extends recommended --max-problems 1000 "$document"
try spectral lint --ruleset "$rules/spectral.yaml" --fail-severity hint "$document"
try openapi-spec-validator "$document"
exit "$failed"
