import { userInfo } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { homeOfEngine } from "../../../provider/ledger/placeOfRun";

describe("homeOfEngine", () => {
  it("is the home that the engine uses, whatever HOME is", () => {
    const { HOME } = process.env;
    process.env.HOME = "/github/home";
    try {
      expect(homeOfEngine({})).to.equal(join(userInfo().homedir, ".pulumi"));
      expect(homeOfEngine({ PULUMI_HOME: "/mine" })).to.equal("/mine");
    } finally {
      process.env.HOME = HOME;
    }
  });
});
