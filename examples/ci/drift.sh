#!/usr/bin/env bash
# Compares the program with what the service reports now, and changes nothing. Exits with 0: all is as declared; 7: it is
# not, see report.md; anything else: the check itself failed. Pulumi before 3.227.0 has no exit code of its own for drift.
set -euo pipefail

code=0
"$(dirname "$0")/report.sh" "Drift check" \
  pulumi preview --refresh --expect-no-changes --diff --non-interactive --color never || code=$?
if [ "$code" -eq 7 ]; then
  printf '\n%s\n' "Run the update by hand to put back what the program declares, or declare what was set elsewhere." >>report.md
fi
exit "$code"
