import { expect } from "chai";
import { maskedKey, structureOf } from "../../../cli/doctor/structure";

const NOBODY = new Set<string>();
const shape = (device: object, identities = NOBODY) => structureOf(device, identities);

describe("doctor: the structure of an object", () => {
  it("has a type for each path, and no value", () => {
    const device = { a: "Ada", b: { c: 1, d: null }, list: [{ e: true }, { e: "x", f: 2 }], none: [] };
    expect(shape(device)).to.deep.equal({
      a: "string",
      b: "object",
      "b.c": "number",
      "b.d": "null",
      list: "array",
      "list[]": "object",
      "list[].e": "boolean|string",
      "list[].f": "number",
      none: "array",
    });
  });

  it("masks keys that may be ids, dates or names", () => {
    const ids = [
      "7",
      "2026-11-21",
      "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
      "deadbeef01",
      "ada@example.com",
      "Ada L",
      "ev_4711",
    ];
    for (const id of ids) expect(maskedKey(id, NOBODY), id).to.equal("*");
    expect(maskedKey("car", new Set(["car"]))).to.equal("*");
    for (const name of ["max_capacity", "l1_power", "__typename", "chargeBy", "co2"]) {
      expect(maskedKey(name, NOBODY)).to.equal(name);
    }
  });

  it("joins what is below masked keys", () => {
    expect(shape({ cars: { 4711: { soc: 1 }, 4712: { soc: null } } })).to.deep.equal({
      cars: "object",
      "cars.*": "object",
      "cars.*.soc": "null|number",
    });
  });

  it("ends in an object that is too deep", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    expect(Object.keys(shape(deep)).length).to.be.lessThan(30);
  });
});
