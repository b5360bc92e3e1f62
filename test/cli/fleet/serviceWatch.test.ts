import { appendFileSync } from "node:fs";
import { expect } from "chai";
import { ServiceWatch } from "../../../cli/fleet/progress";
import { temporaryFolder } from "../../support/folder";

describe("cli fleet: the providers' reports about the service", () => {
  const path = temporaryFolder();
  let now = 0;
  const watch = () => new ServiceWatch(path("calls"), () => now);
  const write = (text: string) => appendFileSync(path("calls"), text);
  const turn = (pid: number, isFailing: boolean) =>
    `{"pid":${pid},"request":"GET"}\n${JSON.stringify({ pid, isFailing })}\n`;
  const [one, other] = [process.pid, process.ppid];
  beforeEach(() => write(""));

  it("is nothing before the first request", () => {
    expect(watch().failingSeconds).to.equal(undefined);
  });

  it("is since when it has failed the first of several processes, until it answers all", () => {
    const service = watch();
    now = 1_000;
    write(turn(one, true));
    expect(service.failingSeconds).to.equal(0);
    now = 5_000;
    write(turn(other, true));
    expect(service.failingSeconds).to.equal(4);
    write(turn(one, false));
    expect(service.failingSeconds).to.equal(0);
    write(turn(other, false));
    expect(service.failingSeconds).to.equal(undefined);
  });

  it("takes a line that is half written once it is whole", () => {
    const service = watch();
    write(turn(one, true).slice(0, -5));
    expect(service.failingSeconds).to.equal(undefined);
    write(turn(one, true).slice(-5));
    expect(service.failingSeconds).to.equal(0);
  });

  it("forgets a process that has ended", () => {
    write(turn(2 ** 30, true));
    expect(watch().failingSeconds).to.equal(undefined);
  });
});
