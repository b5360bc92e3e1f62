#!/usr/bin/env bash
# review.sh [OPTION...]: previews with these options of `pulumi preview`, leaves the result in preview.json and a review of it
# in report.md, and exits as the preview exits.
set -euo pipefail

: "${PULUMI_STACK:?Set PULUMI_STACK to the stack, such as acme/home/prod}"
code=0
pulumi preview --json --show-sames --non-interactive "$@" >preview.json 2>preview.log || code=$?
cat preview.log >&2
[ -s preview.json ] || cp preview.log preview.json # It broke off before it had anything to show but this.
npx solar-charging review --name "$PULUMI_STACK" --markdown preview.json >report.md
cat report.md
exit "$code"
