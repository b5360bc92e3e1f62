#!/usr/bin/env bash
# Previews the program with a refresh: report.md has the review of what an update would send, which may repair drift, and
# approved.json the closed set of these values. It sends nothing. It fails if the change cannot be approved.
set -euo pipefail

export APPROVE=approved.json
exec "$(dirname "$0")/review.sh" --refresh
