/**
 * A double of the device service on 127.0.0.1, for trying out programs and for tests.
 * @module solar-charging-simulator
 */
export { DEMO_FLEET } from "./demoFleet";
export { startSimulator } from "./server";
export type { ChargingStatus, ServiceStatus } from "./statuses";
export type {
  Behaviour,
  BrokenConnection,
  Fault,
  Fleet,
  FleetDevice,
  InverterFields,
  RequestLogEntry,
  Settings,
  Simulator,
  SimulatorOptions,
} from "./types";
