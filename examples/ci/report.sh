#!/usr/bin/env bash
# report.sh TITLE COMMAND...: runs the command, shows what it prints, writes that to report.md, and exits as it exits.
set -euo pipefail

title=$1
shift
stack=${PULUMI_STACK:?Set PULUMI_STACK to the stack, such as acme/home/prod}
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT

code=0
"$@" 2>&1 | tee "$printed" || code=$?

export LC_ALL=C # From here on bytes are counted.

# Pulumi ends with the counts: indented lines below "Resources:". An update has them twice, of its preview and its own.
outcome=$(awk '
  /^Resources:/ { counts = ""; next }
  /^ +[-+~=<>]* ?[0-9]+ [a-z0-9. ]+$/ { sub(/^ +/, ""); counts = counts (counts ? ", " : "") $0; next }
  END { print counts }
' "$printed")
case $code in
  0 | 7) ;; # 7 is Pulumi's code for changes where none were expected.
  *) outcome="failed with exit code $code" ;;
esac

# Indented by four, a line is code in Markdown, and no value can end that, as it could end a fence. Control characters, among
# them a carriage return, which would begin a line, are left out.
block=$(tr -d '\000-\010\013-\037' <"$printed" | sed 's/^/    /')
limit=60000 # GitHub takes 65,536 characters.
{
  echo "<!-- pulumi: $title of $stack -->"
  echo "### $title of $stack: $outcome"
  echo
  echo "<details><summary>What Pulumi printed</summary>"
  echo
  if [ "${#block}" -gt "$limit" ]; then
    # What is wrong, and the counts, stand at the end.
    echo "The beginning is cut off here; the job's log has it all."
    echo
    tail -c "$limit" <<<"$block" | sed 1d
  else
    echo "$block"
  fi
  echo
  echo "</details>"
} >report.md
exit "$code"
