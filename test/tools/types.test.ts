import { describeTypes } from "../support/userTypes";

describeTypes("Pulumi's template", "commonjs", "node");
