#!/bin/sh
# operator/program.sh: prints the program of the stack in PULUMI_STACK. Pulumi runs it before it starts the plugin.
set -eu

cd -P "$(dirname "$0")/.."
# The operator clones the repository, and installs no packages.
[ -d node_modules ] || npm ci --omit=dev --ignore-scripts >&2
exec npx solar-charging fleet program --manifest fleet.yaml # Yours: the path from the root of the repository.
