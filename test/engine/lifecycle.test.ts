import { describeDeviceLives } from "../support/deviceLife";

describeDeviceLives("restore");
