import { describeDeviceLives } from "../support/deviceLife";

describeDeviceLives("retain");
describeDeviceLives("reset");
