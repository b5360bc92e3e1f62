#!/usr/bin/env bash
# Compares the program with what the service reports now, and changes nothing. Exits with 0: all is as declared; 7: it is
# not, see report.md; anything else: the check itself failed. Pulumi before 3.227.0 has no exit code of its own for drift.
set -euo pipefail

exec "$(dirname "$0")/review.sh" --refresh --expect-no-changes
