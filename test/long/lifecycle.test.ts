import { describeDeviceLives } from "../support/deviceLife";

describeDeviceLives(["retain", "reset"]);
