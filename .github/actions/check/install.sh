#!/usr/bin/env bash
# Installs the commands of Llavero: of the package that lies in its folder, as that of a release, or of one it makes.
set -euo pipefail
shopt -s nullglob

packages=("$LLAVERO"/llavero-*.tgz)
if [ ${#packages[@]} -eq 0 ]; then
  (cd "$LLAVERO" && npm ci --no-audit --no-fund && npm run package -- cli)
  packages=("$LLAVERO"/release/llavero-*.tgz)
fi
npm install --prefix "$RUNNER_TEMP/llavero" --no-audit --no-fund "${packages[-1]}"
