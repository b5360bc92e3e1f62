import { type GeneratedFile, VERSIONS, type Wave, wavesOf } from "./pipelines";

/**
 * All stages, even if a fleet has fewer waves: if a pipeline includes two files, GitLab uses the stages of only one.
 */
const STAGES = ["preview", "review", "canary", "share", "rest", "drift", "issue"];

/**
 * A pipeline that previews a merge request, applies the default branch in waves, and looks for drift on a schedule.
 * @param jobs most jobs at once
 */
export function gitlabPipeline(fleet: string, manifest: string, jobs: number): GeneratedFile {
  const waves = wavesOf(jobs);
  const path = `ci/fleet-${fleet}.gitlab-ci.yml`;
  const text = `# ${path}: previews a merge request, applies the default branch in waves, and looks for drift. Made by
#   npx solar-charging fleet generate gitlab --manifest ${manifest} --jobs ${jobs} --out .
# Run this command again instead of editing the file. Include it in .gitlab-ci.yml:
#   include: [{ local: ${path} }]
# If that file has stages of its own, add these to them: [${STAGES.join(", ")}]. Several fleets in one
# pipeline go wave by wave together: a failed wave stops the next wave of every fleet.
#
# Variables of the project: PULUMI_BACKEND_URL and PULUMI_CONFIG_PASSPHRASE, or PULUMI_ACCESS_TOKEN, masked;
# SOLAR_CHARGING_ACCESS_TOKEN, masked and protected; SOLAR_CHARGING_BASE_URL; if needed, SOLAR_CHARGING_BUSINESS_ID,
# SOLAR_CHARGING_INVERTER_FIELDS and SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE; GITLAB_TOKEN, masked: a project access token with
# the scope api, to post reviews as notes and drift as an issue.
# If a person must approve a wave, protect its environment and require approval.
# To look for drift each night, add a schedule to the project (Build > Pipeline schedules) for the default branch.
stages: [${STAGES.join(", ")}]

.fleet-${fleet}:
  # The images for a single language do not contain pulumi-language-yaml.
  image: pulumi/pulumi:${VERSIONS.engine}
  variables:
    MANIFEST: ${manifest}
    PARTS: "${jobs}"
  cache:
    key:
      files: [package-lock.json]
    paths: [.npm/]
  before_script:
    - npm ci --cache .npm --prefer-offline

preview-${fleet}:
  extends: .fleet-${fleet}
  stage: preview
  rules:
    # A fork gets no variables, so it cannot read the state.
    - if: ${REQUESTED}
  interruptible: true
${matrix(waves.flatMap(({ parts }) => parts))}
  script:
    - npx solar-charging fleet preview --json --manifest "$MANIFEST" --shard "$PART/$PARTS" > "part-$PART.json"
  allow_failure:
    exit_codes: 2 # The preview found changes.
${kept()}
${reviewJob(fleet, "preview", "comment")}
${waves.map((wave) => waveJob(fleet, wave)).join("\n")}
${driftJob(fleet, waves)}`;
  return { path, text };
}

/** Fails if anything has drifted. One issue shows the findings of all parts. */
function driftJob(fleet: string, waves: readonly Wave[]): string {
  return `drift-${fleet}:
  extends: .fleet-${fleet}
  stage: drift
  rules:
    - if: ${SCHEDULED}
${matrix(waves.flatMap(({ parts }) => parts))}
  script:
    - npx solar-charging fleet drift --json --manifest "$MANIFEST" --shard "$PART/$PARTS" > "part-$PART.json"
${kept()}
${reviewJob(fleet, "drift", "issue")}`;
}

/** Uploads the findings of a part, even if it failed. */
function kept(): string {
  return `  artifacts:
    when: always
    paths: [part-*.json]
`;
}

/** Posts one note or issue about all parts of the job before. Opens no issue if nothing has drifted. */
function reviewJob(fleet: string, of: "preview" | "drift", posted: "comment" | "issue"): string {
  const [stage, when] = of === "drift" ? ["issue", "on_failure"] : ["review", "always"];
  const rules = of === "drift" ? SCHEDULED : REQUESTED;
  return `${stage}-${fleet}:
  extends: .fleet-${fleet}
  stage: ${stage}
  rules:
    - if: ${rules}
      when: ${when}
  needs: [${of}-${fleet}]
  script:
    - npx solar-charging review --markdown --post ${posted} part-*.json > report.md
  artifacts:
    when: always
    paths: [report.md]
`;
}

/** A schedule for the default branch. */
const SCHEDULED = '$CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';

/** A merge request of the project itself. */
const REQUESTED =
  '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_PATH == $CI_PROJECT_PATH';

function waveJob(fleet: string, { name, parts }: Wave): string {
  return `${name}-${fleet}:
  extends: .fleet-${fleet}
  stage: ${name}
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
      when: never
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  environment: ${fleet}-${name}
  resource_group: fleet-${fleet}-$PART # Of two pipelines, one waits: they never run the same stacks at the same time.
  interruptible: false
${matrix(parts)}
  script:
    - npx solar-charging fleet up --yes --manifest "$MANIFEST" --shard "$PART/$PARTS"
`;
}

function matrix(parts: readonly number[]): string {
  return `  parallel:
    matrix:
      - PART: [${parts.map((part) => `"${part}"`).join(", ")}]`;
}
