import { expect } from "chai";
import { livePreview } from "../../../provider/handlers/livePreview";
import { ServiceError } from "../../../provider/service/errors";
import { inverter } from "../../../provider/settings/inverter";
import { vehicle } from "../../../provider/settings/vehicle";
import { CAR, COMPLETE, fleet, ROOF, runOf } from "../../support/fakes";

describe("livePreview", () => {
  it("shows the values of a device, which it reads once for all its resources", async () => {
    const service = fleet({ max_capacity: 77_000 });
    const read = livePreview(runOf(COMPLETE, service));
    const shown = await Promise.all([read(vehicle, CAR), read(vehicle, CAR)]);
    expect(shown).to.deep.equal([{ values: { maxCapacity: 77_000 } }, { values: { maxCapacity: 77_000 } }]);
    expect(service.requests).to.deep.equal(["GET acme/car"]);
  });

  it("tells of a device that is not there, or of another type, and goes on", async () => {
    const service = fleet();
    service.remove(CAR);
    const run = runOf(COMPLETE, service);
    const read = livePreview(run);
    expect(await read(vehicle, CAR))
      .to.have.property("problem")
      .that.matches(/^there is no device 'car'/);
    expect(await read(vehicle, ROOF))
      .to.have.property("problem")
      .that.matches(/is of type 'Inverter'/);
    expect(await read(inverter, ROOF)).to.deep.equal({ values: {} });
    expect(run.shown).to.deep.equal([]);
  });

  it("reads nothing by an id that the check refuses", async () => {
    const service = fleet();
    expect(await livePreview(runOf(COMPLETE, service))(vehicle, { ...CAR, deviceId: ".." })).to.equal(undefined);
    expect(service.requests).to.deep.equal([]);
  });

  const outages = { "a service that fails": { transient: true }, "a token that is refused": { isUnauthorized: true } };
  for (const [what, failure] of Object.entries(outages)) {
    it(`ends with one warning at ${what}`, async () => {
      const service = fleet();
      service.beforeRead = () => {
        throw new ServiceError(
          "read",
          CAR,
          { reason: "HTTP 503", advice: "Wait", transient: false, ...failure },
          false,
        );
      };
      const run = runOf(COMPLETE, service);
      const read = livePreview(run);
      expect(await Promise.all([read(vehicle, CAR), read(inverter, ROOF)])).to.deep.equal([undefined, undefined]);
      expect(run.shown).to.have.lengthOf(1);
      expect(run.shown[0]).to.match(/^the live preview ends here.*cannot read device 'car'.*HTTP 503/);
    });
  }

  it("ends with one warning where the configuration lacks something", async () => {
    const run = runOf({});
    expect(await livePreview(run)(vehicle, CAR)).to.equal(undefined);
    expect(run.shown[0]).to.match(/SOLAR_CHARGING_BASE_URL is not set/);
  });
});
