#!/usr/bin/env bash
# Applies the program. With a refresh first, so that a setting which somebody changed elsewhere is put back as declared, and
# with Pulumi's preview before it, so that nothing at all is written while any part of the program is refused.
set -euo pipefail

exec "$(dirname "$0")/report.sh" Update pulumi up --yes --refresh --diff --non-interactive --color never
