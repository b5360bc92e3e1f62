import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { InverterSettings, SolarReadiness, type SolarReadinessArgs, VehicleSettings } from "../../provider";
import { thrownBy } from "../support/failure";
import { isKnown, mockedEngine, resolved } from "./mocks";

const CAR = { deviceId: "car", maxCapacity: 77_000, maxChargePower: 11_000 };
const ROOF = { deviceId: "roof", peakPower: 9_800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
const SITE: SolarReadinessArgs = { vehicles: { car: CAR }, inverters: { roof: ROOF } };
const { maxCapacity: _, ...UNKNOWN_BATTERY } = CAR;
const { tilt: __, ...WITHOUT_TILT } = ROOF;

const FORECAST = "CHARGE BY FORECAST";

describe("SolarReadiness", () => {
  const engine = mockedEngine();

  /** The site, once all its children are registered. */
  const made = async (args: SolarReadinessArgs, name = "home") => {
    const site = new SolarReadiness(name, args);
    await resolved(site.unverified);
    return site;
  };
  const namesAsked = () => engine.asked.map(({ name }) => name);
  /** What the engine was asked for a child, without what is the class's own. */
  const inputsOf = (name: string): Record<string, unknown> => {
    const found = engine.asked.find((asked) => asked.name === name);
    if (!found) throw new Error(`the engine was not asked for ${name}`);
    const { __program, __provider, ...inputs } = found.inputs;
    return inputs;
  };

  it("is a component of its type, whose children are named after it and their keys", async () => {
    const site = await made({ vehicles: { car: CAR, van: { ...CAR, deviceId: "van" } }, inverters: { roof: ROOF } });

    expect(await resolved(site.urn)).to.equal("urn:pulumi:stack::project::solar-charging:index:SolarReadiness::home");
    expect(namesAsked()).to.have.members([
      "home",
      "home-roof",
      "home-car",
      "home-car-policy",
      "home-van",
      "home-van-policy",
    ]);
  });

  it("tells each child its URN below the component", async () => {
    await made(SITE);

    const urns = engine.asked.flatMap(({ inputs }) => (inputs.__program ? [inputs.__program.urn] : []));
    const below =
      "urn:pulumi:stack::project::solar-charging:index:SolarReadiness$pulumi-nodejs:dynamic/solar-charging:";
    expect(urns).to.have.members([
      `${below}InverterSettings::home-roof`,
      `${below}VehicleSettings::home-car`,
      `${below}VehicleSettings::home-car-policy`,
    ]);
  });

  it("declares the metadata of each device, and the policy of a vehicle in a resource of its own", async () => {
    await made({ vehicles: { car: { ...CAR, businessId: "north", onDelete: "restore" } }, inverters: { roof: ROOF } });

    expect(inputsOf("home-roof")).to.deep.equal({ ...ROOF, ignoreLints: ["incomplete-inverter"] });
    expect(inputsOf("home-car")).to.deep.equal({
      ...CAR,
      businessId: "north",
      onDelete: "restore",
      ignoreLints: ["ignored-metadata"],
    });
    expect(inputsOf("home-car-policy")).to.deep.equal({
      deviceId: "car",
      businessId: "north",
      onDelete: "restore",
      policy: FORECAST,
      ignoreLints: ["forecast-without-metadata"],
    });
  });

  it("has the policy alone stay declared as it was, as long as something is missing", async () => {
    await made(SITE);

    const kept = engine.asked.flatMap(({ name, inputs }) => (inputs.__program?.keeps ? [name] : []));
    expect(kept).to.deep.equal(["home-car-policy"]);
  });

  it("has vehicles wait for all inverters, and a policy for the metadata of its vehicle too", async () => {
    await made({ vehicles: { car: CAR }, inverters: { roof: ROOF, barn: { ...ROOF, deviceId: "barn" } } });

    expect(engine.dependenciesOf("home-roof")).to.deep.equal([]);
    expect(engine.dependenciesOf("home-car")).to.have.members(["home-roof", "home-barn"]);
    expect(engine.dependenciesOf("home-car-policy")).to.include.members(["home-roof", "home-barn", "home-car"]);
  });

  describe("leaves the policy of a vehicle out", () => {
    it("where it lacks something, and not of the others", async () => {
      await made({ vehicles: { car: UNKNOWN_BATTERY, van: { ...CAR, deviceId: "van" } }, inverters: { roof: ROOF } });

      expect(inputsOf("home-car-policy")).to.not.have.property("policy");
      expect(inputsOf("home-van-policy")).to.include({ policy: FORECAST });
    });

    it("where an inverter lacks something, of all of them", async () => {
      await made({
        vehicles: { car: CAR, van: { ...CAR, deviceId: "van" } },
        inverters: { roof: ROOF, barn: WITHOUT_TILT },
      });

      expect(inputsOf("home-car-policy")).to.not.have.property("policy");
      expect(inputsOf("home-van-policy")).to.not.have.property("policy");
    });

    it("where there is no inverter", async () => {
      await made({ ...SITE, inverters: {} });

      expect(inputsOf("home-car-policy")).to.not.have.property("policy");
    });
  });

  describe("takes a resource in place of arguments", () => {
    it("and adds the policy of a vehicle that declares none, for the same device and with the same onDelete", async () => {
      const car = new VehicleSettings("mine", { ...CAR, businessId: "north", onDelete: "reset" });
      const roof = new InverterSettings("top", ROOF);

      const site = await made({ vehicles: { car }, inverters: { roof } });

      expect(namesAsked()).to.have.members(["mine", "top", "home", "home-car-policy"]);
      expect(inputsOf("home-car-policy")).to.deep.include({ deviceId: "car", businessId: "north", onDelete: "reset" });
      expect(inputsOf("home-car-policy")).to.include({ policy: FORECAST });
      expect(engine.dependenciesOf("home-car-policy")).to.include.members(["top", "mine"]);
      expect(await resolved(site.ready)).to.equal(true);
    });

    it("and leaves the policy to a vehicle that declares one", async () => {
      const car = new VehicleSettings("mine", { ...CAR, policy: FORECAST });
      const price = new VehicleSettings("other", { ...CAR, deviceId: "van", policy: "CHARGE BY" });

      const site = await made({ vehicles: { car, price }, inverters: { roof: ROOF } });

      expect(namesAsked()).to.not.include.members(["home-car-policy", "home-price-policy"]);
      expect(await resolved(site.missing)).to.deep.equal(["vehicle/price: policy is CHARGE BY"]);
    });

    it("that is only read: it is ready with what it reports, and the site declares nothing for it", async () => {
      const { deviceId: _car, ...car } = CAR;
      const { deviceId: _roof, ...roof } = ROOF;
      engine.answers(({ type, inputs, id }) => ({
        ...inputs,
        ...(id && { reported: type.endsWith("VehicleSettings") ? { ...car, policy: FORECAST } : roof }),
      }));

      const site = await made({
        vehicles: { car: VehicleSettings.get("car", "acme/car") },
        inverters: { roof: InverterSettings.get("roof", "acme/roof") },
      });

      expect(namesAsked()).to.have.members(["car", "roof", "home"]);
      expect(await resolved(site.missing)).to.deep.equal([]);
    });

    it("that is only read: what it does not report is missing", async () => {
      engine.answers(({ inputs, id }) => ({ ...inputs, ...(id && { reported: { policy: "CHARGE BY" } }) }));

      const site = await made({ vehicles: { car: VehicleSettings.get("car", "acme/car") }, inverters: { roof: ROOF } });

      expect(await resolved(site.missing)).to.deep.equal([
        "vehicle/car: maxCapacity not reported",
        "vehicle/car: maxChargePower not reported",
        "vehicle/car: policy is CHARGE BY",
      ]);
    });

    it("that is only read, also where a program's own mocks answer nothing", async () => {
      const site = await made({ vehicles: { car: VehicleSettings.get("car", "acme/car") }, inverters: { roof: ROOF } });

      expect(await resolved(site.missing)).to.have.lengthOf(3);
    });
  });

  it("is ready when nothing is missing, and says nothing", async () => {
    const site = await made(SITE);

    expect(await resolved(site.ready)).to.equal(true);
    expect(await resolved(site.missing)).to.deep.equal([]);
    expect(engine.logged).to.deep.equal([]);
  });

  it("is not ready when something is missing, and warns on the component", async () => {
    const site = await made({ vehicles: { car: UNKNOWN_BATTERY }, inverters: { roof: WITHOUT_TILT } });

    expect(await resolved(site.ready)).to.equal(false);
    expect(await resolved(site.missing)).to.deep.equal([
      "vehicle/car: maxCapacity not declared",
      "inverter/roof: tilt not declared",
    ]);
    expect(engine.logged).to.deep.equal([
      {
        severity: "warning",
        message:
          "site 'home' is not ready for solar-aware charging: " +
          "vehicle/car: maxCapacity not declared; inverter/roof: tilt not declared",
        resource: site,
      },
    ]);
  });

  it("lists what was accepted and is not seen, of all its devices", async () => {
    engine.answers(({ name, inputs }) => ({
      ...inputs,
      verification: {
        "home-roof": { tilt: "notReported", azimuth: "verified" },
        "home-car": { maxCapacity: "pending" },
        "home-car-policy": { policy: "pending" },
      }[name],
    }));

    const site = await made(SITE);

    expect(await resolved(site.unverified)).to.deep.equal([
      "inverter/roof: tilt accepted, not reported",
      "vehicle/car: maxCapacity accepted, another value is shown",
      "vehicle/car: policy accepted, another value is shown",
    ]);
  });

  describe("with requireReady", () => {
    const heldBack = () => engine.asked.map(({ name, inputs }) => [name, inputs.__program?.heldBack]);

    /** The error that the program fails with. */
    const failure = () => new Promise<pulumi.ResourceError>((resolve) => process.once("unhandledRejection", resolve));

    it("holds its children back, and fails the program at the site, where something is missing", async () => {
      const failed = failure();
      const site = await made({ requireReady: true, vehicles: { car: UNKNOWN_BATTERY }, inverters: { roof: ROOF } });

      const reason = "not sent, because site 'home' has to be ready and is not";
      expect(heldBack()).to.have.deep.members([
        ["home", undefined],
        ["home-roof", reason],
        ["home-car", reason],
        ["home-car-policy", reason],
      ]);
      const { message, resource, stack } = await failed;
      expect(resource).to.equal(site);
      expect(stack).to.equal(message);
      expect(message).to.match(
        /^site 'home' is not ready .*: vehicle\/car: maxCapacity not declared\. Declare what is missing, or leave out requireReady$/,
      );
    });

    it("does nothing to a site that is ready", async () => {
      await made({ ...SITE, requireReady: true });

      expect(heldBack().map(([, reason]) => reason)).to.deep.equal([undefined, undefined, undefined, undefined]);
      expect(engine.logged).to.deep.equal([]);
    });

    it("may be known later", async () => {
      const failed = failure();
      await made({ requireReady: Promise.resolve(true), vehicles: {}, inverters: { roof: ROOF } });

      expect((await failed).message).to.match(/^site 'home' is not ready .*: site: no vehicle\./);
    });
  });

  describe("refuses, as a program in JavaScript may give it,", () => {
    const mistakes: [unknown, string][] = [
      [
        { requiredReady: true },
        "requiredReady of site 's' is not an argument of SolarReadiness; did you mean requireReady?",
      ],
      [{ vehicles: "car" }, "vehicles of site 's' has to be an object of vehicles by key, not a string"],
      [{ vehicles: [CAR] }, "vehicles of site 's' has to be an object of vehicles by key, not an array"],
      [{ vehicles: pulumi.output({}) }, "vehicles of site 's' has to be an object of vehicles by key, not an object"],
      [{ inverters: null }, "inverters of site 's' has to be an object of inverters by key, not null"],
      [
        { vehicles: { car: null } },
        "vehicles.car of site 's' has to be the arguments of a VehicleSettings, or a VehicleSettings, not null",
      ],
      [
        { vehicles: { car: { ...CAR, policy: "CHARGE BY" } } },
        "vehicles.car of site 's' gives a policy, which the site sets: leave it out, or pass a VehicleSettings that declares it",
      ],
      [
        { vehicles: { car: CAR, "car-policy": { deviceId: "van" } } },
        "vehicles.car-policy of site 's' would be called s-car-policy, as the policy of vehicles.car is: give one of them another key",
      ],
    ];
    for (const [args, message] of mistakes) {
      it(`${pulumi.Output.isInstance(Object.values(args as object)[0]) ? "an output" : JSON.stringify(args)}`, () => {
        expect(thrownBy(() => new SolarReadiness("s", args as SolarReadinessArgs)).message).to.equal(message);
      });
    }

    it("a resource of another kind", () => {
      const args = { vehicles: { roof: new InverterSettings("roof", ROOF) } } as unknown as SolarReadinessArgs;
      expect(thrownBy(() => new SolarReadiness("s", args)).message).to.equal(
        "vehicles.roof of site 's' has to be the arguments of a VehicleSettings, or a VehicleSettings, not another resource",
      );
    });
  });

  it("takes no arguments for a site without devices", async () => {
    const site = new SolarReadiness("s", undefined as unknown as SolarReadinessArgs);
    expect(await resolved(site.missing)).to.deep.equal(["site: no vehicle", "site: no inverter"]);
  });

  it("hands its latitude to its inverters, but to those that have their own", async () => {
    await made({
      ...SITE,
      latitude: 51,
      inverters: { roof: ROOF, barn: { ...ROOF, deviceId: "barn", latitude: -34 } },
    });

    expect(inputsOf("home-roof")).to.include({ latitude: 51 });
    expect(inputsOf("home-barn")).to.include({ latitude: -34 });
    expect(inputsOf("home-car")).to.not.have.property("latitude");
  });

  it("adds to the lints that a device switches off", async () => {
    await made({
      vehicles: { car: { ...CAR, ignoreLints: ["default-capacity"] } },
      inverters: { roof: { ...ROOF, ignoreLints: pulumi.output(["flat-tilt" as const]) } },
    });

    expect(inputsOf("home-car").ignoreLints).to.deep.equal(["default-capacity", "ignored-metadata"]);
    expect(inputsOf("home-roof").ignoreLints).to.deep.equal(["flat-tilt", "incomplete-inverter"]);
  });

  it("passes resource options on to itself", async () => {
    const parent = new pulumi.ComponentResource("test:index:Parent", "parent");

    const site = new SolarReadiness("home", SITE, { parent });

    expect(await resolved(site.urn)).to.contain("test:index:Parent$solar-charging:index:SolarReadiness::home");
  });
});

describe("SolarReadiness in a preview", () => {
  const engine = mockedEngine({ isPreview: true });
  const unknown = <T>() => pulumi.output(pulumi.unknown as unknown as T);

  it("has ready and missing when the arguments are known", async () => {
    const site = new SolarReadiness("home", { vehicles: { car: UNKNOWN_BATTERY }, inverters: { roof: ROOF } });

    expect(await resolved(site.ready)).to.equal(false);
    expect(await resolved(site.missing)).to.deep.equal(["vehicle/car: maxCapacity not declared"]);
  });

  it("has them when only an id is not known", async () => {
    const site = new SolarReadiness("home", {
      vehicles: { car: { ...CAR, deviceId: unknown<string>() } },
      inverters: { roof: { ...ROOF, businessId: unknown<string>() } },
    });

    expect(await resolved(site.missing)).to.deep.equal([]);
  });

  it("has them when a device that is only read does not report something", async () => {
    engine.answers(({ inputs, id }) => ({
      ...inputs,
      ...(id && { policy: "CHARGE BY", reported: { policy: "CHARGE BY" } }),
    }));

    const site = new SolarReadiness("home", {
      vehicles: { car: VehicleSettings.get("car", "acme/car") },
      inverters: { roof: ROOF },
    });

    expect(await resolved(site.missing)).to.include("vehicle/car: maxCapacity not reported");
  });

  it("does not know them, and says nothing, while a setting is not known", async () => {
    const site = new SolarReadiness("home", {
      requireReady: true,
      vehicles: { car: { ...CAR, maxCapacity: unknown<number>() } },
      inverters: { roof: ROOF },
    });

    expect(await isKnown(site.ready)).to.equal(false);
    expect(await isKnown(site.missing)).to.equal(false);
    expect(engine.logged).to.deep.equal([]);
  });
});
