export { startSimulator } from "./server.js";
export type {
  Behaviour,
  Fault,
  Fleet,
  FleetDevice,
  InverterFields,
  RequestLogEntry,
  Settings,
  Simulator,
  SimulatorOptions,
} from "./types.js";
