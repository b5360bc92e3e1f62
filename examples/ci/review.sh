#!/usr/bin/env bash
# review.sh [OPTION...]: previews with these options of `pulumi preview`, leaves the result in preview.json and a review of it
# in report.md. With APPROVE, it writes the approved set to that file. Exits as the preview exits; if that succeeds, as the
# review: with 2 for a condition of FAIL_ON that nobody has accepted.
set -euo pipefail

: "${PULUMI_STACK:?Set PULUMI_STACK to the stack, such as acme/home/prod}"
code=0
pulumi preview --json --show-sames --non-interactive "$@" >preview.json 2>preview.log || code=$?
cat preview.log >&2
[ -s preview.json ] || cp preview.log preview.json # It broke off before it had anything to show but this.
options=()
[ -z "${FAIL_ON:-}" ] || options+=(--fail-on "$FAIL_ON" --accepted-by "${ACCEPTED_BY:-}")
[ -z "${APPROVE:-}" ] || options+=(--approve "$APPROVE")
review=0
npx solar-charging review --name "$PULUMI_STACK" "${options[@]}" --markdown preview.json >report.md || review=$?
cat report.md
[ "$code" -ne 0 ] || code=$review
exit "$code"
