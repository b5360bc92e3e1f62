const pulumi = require("@pulumi/pulumi");
const { InverterSettings, kW, kWh, SiteSettings, VehicleSettings } = require("pulumi-solar-charging");

const car = { maxCapacity: kWh(77), maxChargePower: kW(11), policy: "CHARGE BY FORECAST" };
const panels = { peakPower: kW(9.8), azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 };

// What is declared: everything, one setting, nothing.
new VehicleSettings("car-all-restore", { deviceId: "car-all-restore", ...car, onDelete: "restore" });
new VehicleSettings("car-all-reset", { deviceId: "car-all-reset", ...car, onDelete: "reset" });
new VehicleSettings("car-all-retain", { deviceId: "car-all-retain", ...car, onDelete: "retain" });
new VehicleSettings("car-one", { deviceId: "car-one", policy: "CHARGE BY FORECAST", onDelete: "restore" });
new VehicleSettings("car-none", { deviceId: "car-none" });
new InverterSettings("roof-all-restore", { deviceId: "roof-all-restore", ...panels, onDelete: "restore" });
new InverterSettings("roof-all", { deviceId: "roof-all", ...panels });
new InverterSettings("roof-one", { deviceId: "roof-one", tilt: 30, onDelete: "restore" });
new InverterSettings("roof-none", { deviceId: "roof-none" });

// How the service took it. The script makes somebody else change "drifted", and loses the answer to "uncertain".
new VehicleSettings("not-reported", { deviceId: "not-reported", ...car, onDelete: "restore" });
new VehicleSettings("pending", { deviceId: "pending", maxCapacity: kWh(77), onDelete: "restore" });
new VehicleSettings("drifted", { deviceId: "drifted", ...car, onDelete: "restore" });
new VehicleSettings("uncertain", { deviceId: "uncertain", ...car, onDelete: "restore" });

// Ids that have to be encoded, and another business.
new VehicleSettings("encoded", {
  businessId: "Söhne & Co/Süd",
  deviceId: "Platz #1: 100% Ökostrom?",
  maxCapacity: kWh(58),
  onDelete: "restore",
});

// Secrets, also as an output of the stack.
const secret = new VehicleSettings("secret", {
  deviceId: "secret",
  maxCapacity: pulumi.secret(kWh(77)),
  policy: pulumi.secret("CHARGE BY FORECAST"),
  onDelete: "restore",
});

// Sites: one that is ready, with a car that is only observed and one that declares its policy; one that lacks something;
// and one of which the script loses the answer of a device.
const van = { maxCapacity: kWh(77), maxChargePower: kW(11) };
const site = new SiteSettings("site", {
  vehicles: {
    car: { deviceId: "site-car", ...van },
    guest: { deviceId: "site-guest", observe: true },
    own: { deviceId: "site-own", policy: "CHARGE BY", onDelete: "reset" },
  },
  inverters: { roof: { deviceId: "site-roof", ...panels } },
  latitude: 52,
  onDelete: "restore",
});
const lacking = new SiteSettings("site-lacking", {
  vehicles: { car: { deviceId: "lacking-car", maxCapacity: kWh(77) } },
  solar: true,
  onDelete: "restore",
});
new SiteSettings("site-uncertain", {
  vehicles: { car: { deviceId: "uncertain-car", ...van }, van: { deviceId: "uncertain-van", ...van } },
  inverters: { roof: { deviceId: "uncertain-roof", ...panels } },
  onDelete: "restore",
});

// A device that is only read.
const read = VehicleSettings.get("only-read", "acme/only-read");

module.exports = {
  ready: site.ready,
  missing: lacking.missing,
  unverified: site.unverified,
  reported: read.maxCapacity,
  secret: secret.policy,
};
