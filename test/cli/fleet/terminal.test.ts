import { rmSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { Terminal } from "../../support/terminal";
import { givenFakeEngine } from "./fakeEngine";

describe("cli fleet: the driver at a terminal", () => {
  const given = givenFakeEngine();

  const driver = (operation: string, env: NodeJS.ProcessEnv = {}) =>
    new Terminal(given.args(operation), { ...given.env, TERM: "xterm", NO_COLOR: undefined, ...env });

  /** An `up` whose first wave the user has confirmed. */
  const begun = async () => {
    const terminal = driver("up");
    await terminal.answer(/Apply wave canary.*\?/, "y\r");
    return terminal;
  };

  it("applies nothing at a no to its first wave", async () => {
    const terminal = driver("up");
    await terminal.answer(/Apply wave canary of acme, 1 device, 1 site\?/, "n\r");
    expect(await terminal.code, terminal.text).to.equal(3);
    expect(given.log()).to.deep.equal([]);
  });

  it("shows a bar, asks between waves, and stops with 3 at a no", async () => {
    const terminal = await begun();
    await terminal.answer(/wave share\?/, "n\r");
    expect(await terminal.code, terminal.text).to.equal(3);
    expect(terminal.text).to.match(/0 \w+ 3 devices, \d+ s/);
    expect(terminal.text).to.contain("wave canary: 1 ok, 0 failed. Next: share, 2 devices, 1 site");
    expect(given.log()).to.deep.equal(["up shard-2-of-2"]);
  });

  it("leaves no bar behind, which would show less than was done", async () => {
    const terminal = await begun();
    await terminal.answer(/wave share\?/, "y\r");
    expect(await terminal.code, terminal.text).to.equal(0);
    expect(await terminal.screen()).to.not.match(/[=-]{9}/);
  });

  it("takes Ctrl-C at a question as an interruption", async () => {
    const terminal = await begun();
    await terminal.answer(/wave share\?/, "\x03");
    expect(await terminal.code, terminal.text).to.equal(130);
    expect(given.log()).to.deep.equal(["up shard-2-of-2"]);
  });

  it("tells its engine once of a Ctrl-C", async () => {
    writeFileSync(given.path("slow"), "");
    const terminal = await begun();
    await given.logged(1);
    await terminal.answer(/wave canary/, "\x03");
    expect(await terminal.code, terminal.text).to.equal(130);
    expect(given.log()).to.deep.equal(["up shard-2-of-2", "told"]);
    rmSync(given.path("slow"));
  });

  it("leaves a terminal that breaks lines as before when a second Ctrl-C ends it", async () => {
    for (const name of ["slow", "stubborn"]) writeFileSync(given.path(name), "");
    const terminal = await begun();
    await given.logged(1);
    await terminal.answer(/wave canary/, "\x03");
    await terminal.answer(/Ctrl-C/, "\x03");
    expect(await terminal.code, terminal.text).to.equal(130);
    expect(terminal.text.lastIndexOf("\x1b[?7h")).to.be.greaterThan(terminal.text.lastIndexOf("\x1b[?7l"));
    rmSync(given.path("slow"));
  });

  it("destroys nothing at a no", async () => {
    const terminal = driver("destroy");
    await terminal.answer(/all devices of acme, and remove \d stacks?\?/, "n\r");
    expect(await terminal.code, terminal.text).to.equal(3);
    expect(given.log()).to.deep.equal([]);
  });

  it("shows no bar if the terminal can move no cursor, and no colour with NO_COLOR", async () => {
    const plain = driver("preview", { TERM: "dumb", NO_COLOR: "1" });
    expect(await plain.code, plain.text).to.equal(0);
    expect(plain.text).not.to.contain("\x1b");
    const question = driver("destroy", { NO_COLOR: "1" });
    await question.answer(/all devices of acme/, "n\r");
    await question.code;
    // Cursor movements end with other letters.
    for (const style of ["0", "1", "2", "22", "32", "36", "39"]) expect(question.text).not.to.contain(`\x1b[${style}m`);
  });
});
