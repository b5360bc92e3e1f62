import { type GeneratedFile, VERSIONS, type Wave, wavesOf } from "./pipelines";

/** The time of the check for drift, in UTC (our choice): at night, and not on the hour, when GitHub is busiest. */
const DRIFT_AT = "17 3 * * *";

/** The actions that are used, each pinned to a commit. */
const ACTIONS = {
  checkout: "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
  node: "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0",
  pulumi: "pulumi/actions@8e5e406f4007fca908480587cb9893c07090f58d # v7.0.0",
  upload: "actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1",
  download: "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1",
};

/** The lines before the jobs: a comment, triggers, and permissions. */
function headOf(fleet: string, manifest: string, jobs: number, branch: string): string {
  return `# ${pathOf(fleet)}: previews a pull request, applies ${branch} in waves, and looks for drift. Made by
#   npx solar-charging fleet generate github --manifest ${manifest} --jobs ${jobs} --branch ${branch} --out .
# Run this command again instead of editing the file.
#
# Secrets of the repository: PULUMI_BACKEND_URL and PULUMI_CONFIG_PASSPHRASE, or PULUMI_ACCESS_TOKEN.
# Environments, each for ${branch} only and with the secret SOLAR_CHARGING_ACCESS_TOKEN. If a person must approve a wave, add
# required reviewers to its environment: ${wavesOf(jobs)
    .map(({ name }) => `${fleet}-${name}`)
    .join(", ")}.
# The environment ${fleet}-drift, with the same secret and without reviewers, because it runs at night.
# Variables of the repository: SOLAR_CHARGING_BASE_URL; if needed, SOLAR_CHARGING_BUSINESS_ID, SOLAR_CHARGING_INVERTER_FIELDS
# and SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE, which the parts share.
name: Fleet ${fleet}

on:
  pull_request: # Not pull_request_target: that hands secrets to the code of forks.
  push:
    branches: ["${branch}"]
  schedule:
    - cron: "${DRIFT_AT}"
  workflow_dispatch:

permissions:
  contents: read

# For a pull request, a new push cancels the run of the earlier one. Updates run one after the other, and none is cancelled.
# The check for drift has its own group, because it could replace a waiting update.
concurrency:
  group: fleet-${fleet}-\${{ github.event.pull_request.number || github.event_name == 'schedule' && 'drift' || 'up' }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}

env:
  MANIFEST: ${manifest}
  PARTS: ${jobs}
  SOLAR_CHARGING_BASE_URL: \${{ vars.SOLAR_CHARGING_BASE_URL }}
  SOLAR_CHARGING_BUSINESS_ID: \${{ vars.SOLAR_CHARGING_BUSINESS_ID }}
  SOLAR_CHARGING_INVERTER_FIELDS: \${{ vars.SOLAR_CHARGING_INVERTER_FIELDS }}
  SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE: \${{ vars.SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE }}
`;
}

function pathOf(fleet: string): string {
  return `.github/workflows/fleet-${fleet}.yml`;
}

/**
 * A workflow that previews a pull request, applies a branch in waves, and looks for drift each night.
 * @param jobs most jobs at once
 */
export function githubWorkflow(fleet: string, manifest: string, jobs: number, branch: string): GeneratedFile {
  const waves = wavesOf(jobs);
  const text = `${headOf(fleet, manifest, jobs, branch)}
jobs:
  preview:
    # A fork gets no secrets, so it cannot read the state.
    if: github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-24.04
    timeout-minutes: 30
${stepsOf(waves.flatMap(({ parts }) => parts))}
      - name: Preview
        run: |
          code=0
          npx solar-charging fleet preview --json --manifest "$MANIFEST" --shard "$PART/$PARTS" > "part-$PART.json" || code=$?
          # Exit code 2 means that there are changes.
          [ "$code" -eq 0 ] || [ "$code" -eq 2 ]
        env:
          PART: \${{ matrix.part }}
${stateSecrets()}${kept("preview")}
${reviewJob("preview", "comment", "pull-requests")}
${waves.map((wave, index) => waveJob(fleet, branch, wave, waves[index - 1])).join("\n")}
${driftJob(fleet, waves)}`;
  return { path: pathOf(fleet), text };
}

/** The beginning of the steps of a job that runs once for each part of a fleet. */
function stepsOf(parts: readonly number[]): string {
  return `    strategy:
      fail-fast: false # A failed part does not cancel the others.
      matrix:
        part: ${list(parts)}
    steps:
${checkedOut()}
      - uses: ${ACTIONS.pulumi}
        with:
          pulumi-version: ${VERSIONS.engine}`;
}

/** Fails if anything has drifted. One issue shows the findings of all parts. */
function driftJob(fleet: string, waves: readonly Wave[]): string {
  return `  drift:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    environment: ${fleet}-drift
${stepsOf(waves.flatMap(({ parts }) => parts))}
      - name: Drift
        run: npx solar-charging fleet drift --json --manifest "$MANIFEST" --shard "$PART/$PARTS" > "part-$PART.json"
        env:
          PART: \${{ matrix.part }}
          SOLAR_CHARGING_ACCESS_TOKEN: \${{ secrets.SOLAR_CHARGING_ACCESS_TOKEN }}
${stateSecrets()}${kept("drift")}
${reviewJob("drift", "issue", "issues")}`;
}

/** Uploads the findings of a part, even if it failed. */
function kept(of: "preview" | "drift"): string {
  return `      - uses: ${ACTIONS.upload}
        if: \${{ !cancelled() }}
        with:
          name: ${of}-\${{ matrix.part }}
          path: part-*.json
`;
}

/** Posts one comment or issue about all parts of the job before. Opens no issue if nothing has drifted. */
function reviewJob(of: "preview" | "drift", posted: "comment" | "issue", permission: string): string {
  const isWanted = of === "drift" ? "failure()" : `!cancelled() && needs.${of}.result != 'skipped'`;
  return `  ${of}-review:
    needs: ${of}
    if: \${{ ${isWanted} }}
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      contents: read
      ${permission}: write
    steps:
${checkedOut()}
      - uses: ${ACTIONS.download}
        with:
          pattern: ${of}-*
          merge-multiple: true
      - name: Review
        run: |
          npx solar-charging review --markdown --post ${posted} part-*.json > report.md
          cat report.md >> "$GITHUB_STEP_SUMMARY"
        env:
          GITHUB_TOKEN: \${{ github.token }}
`;
}

function waveJob(fleet: string, branch: string, { name, parts }: Wave, before: Wave | undefined): string {
  return `  ${name}:
    ${before ? `needs: ${before.name}` : `if: github.event_name != 'pull_request' && github.event_name != 'schedule' && github.ref == 'refs/heads/${branch}'`}
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    environment: ${fleet}-${name}
${stepsOf(parts)}
      - name: Up
        run: npx solar-charging fleet up --yes --manifest "$MANIFEST" --shard "$PART/$PARTS"
        env:
          PART: \${{ matrix.part }}
          SOLAR_CHARGING_ACCESS_TOKEN: \${{ secrets.SOLAR_CHARGING_ACCESS_TOKEN }}
${stateSecrets()}`;
}

function checkedOut(): string {
  return `      - uses: ${ACTIONS.checkout}
        with:
          persist-credentials: false
      - uses: ${ACTIONS.node}
        with:
          node-version: ${VERSIONS.node}
          cache: npm
      - run: npm ci`;
}

function stateSecrets(): string {
  return ["PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_ACCESS_TOKEN"]
    .map((name) => `          ${name}: \${{ secrets.${name} }}\n`)
    .join("");
}

function list(parts: readonly number[]): string {
  return `[${parts.join(", ")}]`;
}
