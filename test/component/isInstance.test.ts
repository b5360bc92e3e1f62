import { dirname } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { CLASSES, type SettingsClass } from "./classes";
import { mockedEngine, registered } from "./mocks";

/** A resource of another package. */
class Thing extends pulumi.CustomResource {}

/** The classes of a second copy of this package, as when two versions of it are installed. */
function secondCopy(): Record<string, SettingsClass> {
  const index = require.resolve("../../provider");
  const cached = Object.entries(require.cache).filter(([file]) => file.startsWith(dirname(index)));
  for (const [file] of cached) delete require.cache[file];
  const copy = require(index);
  Object.assign(require.cache, Object.fromEntries(cached));
  return copy;
}

for (const { name, Settings, everyArgument } of CLASSES) {
  describe(`${name}.isInstance`, () => {
    mockedEngine();

    it("is true for an object of the class", async () => {
      expect(Settings.isInstance(await registered(new Settings("mine", everyArgument)))).to.equal(true);
    });

    it("is true for an object that was read", async () => {
      expect(Settings.isInstance(await registered(Settings.get("theirs", "acme/device-1")))).to.equal(true);
    });

    it("is true for an object of another copy of this package", async () => {
      const Copy = secondCopy()[name] as SettingsClass;
      const theirs = await registered(new Copy("theirs", everyArgument));

      expect(theirs).not.to.be.instanceOf(Settings);
      expect(Settings.isInstance(theirs)).to.equal(true);
    });

    it("is false for an object of the other class", async () => {
      const Other = CLASSES.find((candidate) => candidate.Settings !== Settings)?.Settings as SettingsClass;

      expect(Settings.isInstance(await registered(new Other("other", { deviceId: "other" })))).to.equal(false);
    });

    it("is false for a resource of another package", async () => {
      expect(Settings.isInstance(await registered(new Thing("other:index:Thing", "thing")))).to.equal(false);
    });

    it("is false for what is no resource", () => {
      for (const value of [undefined, null, 0, "", name, {}, [], Settings]) {
        expect(Settings.isInstance(value)).to.equal(false);
      }
    });

    it("is false for a plain object that has the type of the class", () => {
      const type: unknown = Reflect.get(Settings, "__pulumiType");

      expect(Settings.isInstance({ __pulumiType: type })).to.equal(false);
    });
  });
}
