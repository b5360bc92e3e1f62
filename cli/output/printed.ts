import type { MeasuredSites } from "../../measure/results/model";
import type { LedgerLine } from "../../provider/ledger/ledgerLine";
import type { Adoption } from "../adopt/read";
import type { Findings } from "../doctor/doctor";
import type { FleetLayout } from "../fleet/stacks";
import type { JudgedReview } from "../review/conditions";
import type { Summary } from "../stacks/summary";
import type { Status } from "../status/model";
import type { ShownSun } from "../sun/command";

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
