import type { Adoption } from "../cli/adopt/read";
import type { Findings } from "../cli/doctor/doctor";
import type { FleetReview } from "../cli/fleet/review";
import type { FleetLayout } from "../cli/fleet/stacks";
import type { JudgedReview } from "../cli/review/conditions";
import type { countsOf } from "../cli/review/verdict";
import type { Status } from "../cli/status/model";
import type { ShownSun } from "../cli/sun/command";
import type { MeasuredSites } from "../measure/results/model";
import type { LedgerLine } from "../provider/ledger/ledgerLine";

/** A review with the number of findings of each kind. */
interface Counted {
  readonly counts: ReturnType<typeof countsOf>;
}
interface CountedReview extends JudgedReview, Counted {}
interface CountedFleetReview extends FleetReview, Counted {}

/**
 * The values that the commands print with `--json`; `ledger` prints one a line. `schema/output.schema.json` is made of
 * these types.
 */
export interface Printed {
  readonly adopt: Adoption;
  readonly doctor: Findings;
  readonly fleet: CountedFleetReview;
  readonly "fleet stacks": FleetLayout;
  readonly ledger: LedgerLine;
  readonly measure: MeasuredSites;
  readonly review: CountedReview;
  readonly status: Status;
  readonly sun: ShownSun;
}
