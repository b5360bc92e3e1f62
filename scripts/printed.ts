import type { Adoption } from "../cli/adopt/read";
import type { Findings } from "../cli/doctor/doctor";
import type { FleetLayout } from "../cli/fleet/stacks";
import type { JudgedReview } from "../cli/review/conditions";
import type { Summary } from "../cli/stacks/summary";
import type { Status } from "../cli/status/model";
import type { ShownSun } from "../cli/sun/command";
import type { MeasuredSites } from "../measure/results/model";
import type { LedgerLine } from "../provider/ledger/ledgerLine";

/**
 * The values that the commands print with `--json`; `ledger` prints one a line. `schema/output.schema.json` is made of
 * these types.
 */
export interface Printed {
  readonly adopt: Adoption;
  readonly doctor: Findings;
  readonly fleet: Summary;
  readonly "fleet stacks": FleetLayout;
  readonly ledger: LedgerLine;
  readonly measure: MeasuredSites;
  readonly review: JudgedReview;
  readonly status: Status;
  readonly sun: ShownSun;
}
