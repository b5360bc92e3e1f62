#!/usr/bin/env bash
# Applies the program, with a refresh first. It sends only what SOLAR_CHARGING_APPROVED names: the file that approve.sh wrote,
# and the digest that a person has approved. A site with any other value stays as it is, the other sites are updated, and the
# script fails at the end.
set -euo pipefail

: "${SOLAR_CHARGING_APPROVED:?Set SOLAR_CHARGING_APPROVED to approved.json#<digest>}"
code=0
pulumi up --yes --skip-preview --refresh --continue-on-error --diff --non-interactive --color never || code=$?
outcome="✅ Applied"
[ "$code" -eq 0 ] || outcome="❌ The update failed with exit code $code: see the log of the job"
printf '%s\n' "**$outcome.**" >report.md
exit "$code"
