#!/usr/bin/env bash
# Applies the program. With a refresh first, so that a setting which somebody changed elsewhere is put back as declared, and
# with a preview before it, so that nothing at all is written while any part of the program is refused.
set -euo pipefail

"$(dirname "$0")/review.sh" --refresh
code=0
pulumi up --yes --skip-preview --refresh --diff --non-interactive --color never || code=$?
outcome="✅ Applied"
[ "$code" -eq 0 ] || outcome="❌ The update failed with exit code $code: see the log of the job"
printf '\n%s\n' "**$outcome.**" >>report.md
exit "$code"
