import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { childrenOf } from "../../support/processes";
import { givenFakeEngine } from "./fakeEngine";

describe("cli fleet: the plugin that waits for its run", () => {
  const given = givenFakeEngine();
  const TOKEN = "the-access-token";
  const PASSPHRASE = "the-passphrase";

  beforeEach(function () {
    if (process.platform !== "linux") this.skip(); // Only Linux shows the environment of a process.
  });

  /** Starts a rollout that waits for its window, which opens in some hours. */
  async function waiting() {
    const hour = (from: number) => String((new Date().getUTCHours() + from) % 24).padStart(2, "0");
    const secrets = { SOLAR_CHARGING_ACCESS_TOKEN: TOKEN, PULUMI_CONFIG_PASSPHRASE: PASSPHRASE };
    const driver = given.start(secrets, "up", "--wait", "--window", `${hour(5)}:00-${hour(6)}:00 UTC`);
    for await (const line of createInterface(driver.stderr as NodeJS.ReadableStream)) {
      if (line.startsWith("waiting")) break;
    }
    const [plugin = 0] = childrenOf(driver.pid as number);
    return { driver, plugin };
  }

  /** Resolves when a process has ended. */
  async function ended(pid: number): Promise<void> {
    for (;;) {
      try {
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return;
      } catch {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it("has neither the token nor the passphrase of the state", async () => {
    const { driver, plugin } = await waiting();

    const environment = readFileSync(`/proc/${plugin}/environ`, "utf8");

    driver.kill("SIGKILL");
    await ended(plugin);
    expect(environment).to.contain("PATH=").and.not.contain(TOKEN).and.not.contain(PASSPHRASE);
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    it(`ends with the command at ${signal}`, async () => {
      const { driver, plugin } = await waiting();

      driver.kill(signal);

      await Promise.all([once(driver, "exit"), ended(plugin)]);
    });
  }
});
