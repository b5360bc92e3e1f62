import { Terminal } from "@xterm/headless";
import { expect } from "chai";
import { terminalSvg } from "../../scripts/terminal-svg";

/** The pieces of text in the image of a terminal to which this was written. */
async function drawn(written: string): Promise<string[]> {
  const terminal = new Terminal({ cols: 20, rows: 5, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(written, done));
  return terminalSvg(terminal.buffer.active, 20, "a & b").match(/<text [^>]*>.*<\/text>/g) ?? [];
}

describe("terminalSvg", () => {
  it("puts each piece where it stands, without the spaces between", async () => {
    expect(await drawn("one two   three\r\n\r\n  four")).to.deep.equal([
      `<text x="16.0" y="30" textLength="58.8" fill="#d1d7e0">one two</text>`,
      `<text x="100.0" y="30" textLength="42.0" fill="#d1d7e0">three</text>`,
      `<text x="32.8" y="70" textLength="33.6" fill="#d1d7e0">four</text>`,
    ]);
  });

  it("keeps colours and bold letters", async () => {
    expect(await drawn("\x1b[1;31mred\x1b[0mplain")).to.deep.equal([
      `<text x="16.0" y="30" textLength="25.2" fill="#ff7b72" font-weight="bold">red</text>`,
      `<text x="41.2" y="30" textLength="42.0" fill="#d1d7e0">plain</text>`,
    ]);
  });

  it("shows what is left when a program has written over its own lines", async () => {
    expect(await drawn("working\r\x1b[2Kdone")).to.deep.equal([
      `<text x="16.0" y="30" textLength="33.6" fill="#d1d7e0">done</text>`,
    ]);
  });

  it("escapes what has a meaning in XML", async () => {
    expect((await drawn("<a> & b"))[0]).to.match(/>&lt;a&gt; &amp; b<\/text>$/);
  });

  it("is as wide as the terminal and as high as its text", async () => {
    const terminal = new Terminal({ cols: 20, rows: 5, allowProposedApi: true });
    await new Promise<void>((done) => terminal.write("one\r\ntwo", done));
    expect(terminalSvg(terminal.buffer.active, 20, "a & b")).to.match(
      /^<svg [^>]* viewBox="0 0 200 72" role="img">\n<title>a &amp; b<\/title>/,
    );
  });
});
