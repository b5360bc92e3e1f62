import { expect } from "chai";
import { pluginOf } from "../../../provider/engine/plugin";

describe("the plugin of a release", () => {
  const url = "github://api.github.com/acme/solar.charging";
  const repositories = [
    "git+https://github.com/acme/solar.charging.git",
    "https://github.com/acme/solar.charging",
    "git@github.com:acme/solar.charging.git",
  ];
  for (const address of repositories) {
    it(`is downloaded from the releases of ${address}`, () => {
      expect(pluginOf({ version: "1.2.3", repository: { url: address } })).to.deep.equal({
        version: "1.2.3",
        pluginDownloadURL: url,
      });
    });
  }

  it("has no address if the repository is not at GitHub", () => {
    const repository = { url: "https://gitlab.com/acme/solar.git" };
    expect(pluginOf({ version: "1.2.3", repository })).to.deep.equal({ version: "1.2.3" });
  });
});
