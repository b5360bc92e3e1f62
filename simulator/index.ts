export { DEMO_FLEET } from "./demoFleet";
export { startSimulator } from "./server";
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
} from "./types";
