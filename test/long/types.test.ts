import { describeTypes } from "../support/userTypes";

describeTypes("current Node", "nodenext", "nodenext");
