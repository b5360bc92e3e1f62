#!/usr/bin/env bash
# Previews the program: report.md says what a merge would change, and preview.json has it for posting. A preview asks the
# service nothing and needs no token of it. With FAIL_ON, it fails if the change meets one of these conditions, unless
# ACCEPTED_BY says who or what has accepted them.
set -euo pipefail

if [ -z "${PULUMI_ACCESS_TOKEN:-}${PULUMI_BACKEND_URL:-}" ]; then
  # A pull request from a fork gets no secrets, so the stack's state is out of reach: an empty stack stands in for it.
  state=$(mktemp -d)
  export PULUMI_BACKEND_URL="file://$state" PULUMI_CONFIG_PASSPHRASE="" PULUMI_STACK=fork
  pulumi stack init fork --non-interactive
fi

exec "$(dirname "$0")/review.sh"
