#!/usr/bin/env bash
# Checks the server that the action was given, and says where the reports are.
set -euo pipefail

# A line of its own would be another output.
if [[ $REPORTS == *[$'\n\r']* ]]; then
  echo 'The input "reports" has a line break.' >&2
  exit 2
fi
reports=$(realpath -m "${REPORTS:-$RUNNER_TEMP/contract-run}")
mkdir -p "$reports"
echo "reports=$reports" >> "$GITHUB_OUTPUT"

arguments=(--fail-on "$FAIL_ON")
if [ -n "$BASE_URL" ]; then arguments+=("$BASE_URL"); fi
if [ -n "$SERVERS" ]; then arguments+=(--servers "$SERVERS"); fi
if [ -n "$SERVER" ]; then arguments+=(--server "$SERVER"); fi
if [ -n "$ORIGIN" ]; then arguments+=("--origin=$ORIGIN"); fi
for form in md html json; do arguments+=(--report "$form=$reports/report.$form"); done
arguments+=(--report "junit=$reports/report.xml")
if [ -n "$BASELINE" ]; then arguments+=(--baseline "$BASELINE"); fi
while IFS= read -r option; do
  if [ -n "$option" ]; then arguments+=("$option"); fi
done <<< "$OPTIONS"

# The run quotes the server, which must not give the runner commands.
end=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
echo "::stop-commands::$end"
code=0
"$RUNNER_TEMP/llavero/node_modules/.bin/llavero" check "${arguments[@]}" || code=$?
echo "::$end::"
exit "$code"
