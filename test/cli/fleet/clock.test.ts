import { CLOCK } from "../../../cli/fleet/rollout";

describe("cli fleet: the clock of a rollout", () => {
  it("is waited for no longer than until the run is interrupted", async () => {
    await CLOCK.until(new Date(0), new AbortController().signal);
    const interrupted = new AbortController();
    const wait = CLOCK.until(new Date(Date.now() + 3_600_000), interrupted.signal);
    interrupted.abort();
    await wait;
  });
});
