#!/usr/bin/env bash
# Puts the report on the page of the step, and marks what was found.
set -euo pipefail

# The run may have ended before there was one.
if [ ! -f "$REPORTS/report.sarif" ]; then exit 0; fi
# A summary may have one mebibyte.
head -c 1000000 "$REPORTS/report.md" >> "$GITHUB_STEP_SUMMARY"
node "$GITHUB_ACTION_PATH/annotate.mjs" "$REPORTS/report.sarif"
