import { expect } from "chai";
import { readConfiguration } from "../../../provider/configuration/configuration";
import { ConfigurationError } from "../../../provider/configuration/error";

describe("configuration: NODE_DEBUG", () => {
  for (const value of ["http", "HTTP", "fs,http", "ht*", "*", "tls", "net"]) {
    it(`'${value}' is refused, because Node would print the access token`, () => {
      expect(() => readConfiguration(() => undefined, { NODE_DEBUG: value })).to.throw(
        ConfigurationError,
        "NODE_DEBUG",
      );
    });
  }

  for (const value of ["", "fs", "module,timers"]) {
    it(`'${value}' is accepted`, () => {
      expect(() => readConfiguration(() => undefined, { NODE_DEBUG: value })).not.to.throw();
    });
  }
});
