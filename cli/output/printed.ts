import type { LedgerLine } from "../../provider/ledger/ledgerLine";
import type { Findings } from "../doctor/doctor";
import type { Review } from "../review/review";
import type { Summary } from "../stacks/summary";
import type { Status } from "../status/model";
import type { ShownSun } from "../sun/command";
import type { MeasuredSites } from "../view/measured";

/**
 * The values that the commands print with `--json`; `ledger` prints one a line. `schema/output.schema.json` is made of
 * these types.
 */
export interface Printed {
  readonly doctor: Findings;
  readonly fleet: Summary;
  readonly ledger: LedgerLine;
  readonly measure: MeasuredSites;
  readonly review: Review;
  readonly status: Status;
  readonly sun: ShownSun;
}
