import { expect } from "chai";
import { pluginOf } from "../../../provider/engine/plugin";

describe("the plugin of a release", () => {
  const url = "github://api.github.com/acme/solar.charging";
  const repositories = [
    { url: "git+https://github.com/acme/solar.charging.git" },
    { url: "https://github.com/acme/solar.charging" },
    { url: "git@github.com:acme/solar.charging.git" },
    "github:acme/solar.charging",
    "acme/solar.charging",
  ];
  for (const repository of repositories) {
    it(`is downloaded from the releases of ${JSON.stringify(repository)}`, () => {
      expect(pluginOf({ version: "1.2.3", repository })).to.deep.equal({ version: "1.2.3", pluginDownloadURL: url });
    });
  }

  for (const repository of [undefined, { url: "https://gitlab.com/acme/solar.git" }, "gitlab:acme/solar"]) {
    it(`has no address if the repository is ${JSON.stringify(repository)}`, () => {
      expect(pluginOf({ version: "1.2.3", ...(repository && { repository }) })).to.deep.equal({ version: "1.2.3" });
    });
  }
});
