import * as pulumi from "@pulumi/pulumi";

/** The alternating-current charger in a car: its power in W, and the phases that it uses. */
export interface Charger {
  maxPower: number;
  phases: 1 | 3;
}

export interface ChargingBayArgs {
  /** Fuse of the wall box, in A on each of three phases. */
  amperes: number;
}

/** A bay with a wall box. It stands for other infrastructure of a program: meters, gates, networks. */
export class ChargingBay extends pulumi.ComponentResource {
  readonly amperes: pulumi.Output<number>;

  constructor(name: string, args: ChargingBayArgs, opts?: pulumi.ComponentResourceOptions) {
    super("depot:index:ChargingBay", name, {}, opts);
    this.amperes = pulumi.output(args.amperes);
    this.registerOutputs({ amperes: this.amperes });
  }

  /** The power that a car can draw here, in W: the lower limit of its charger and of the wall box. */
  powerFor({ maxPower, phases }: Charger): pulumi.Output<number> {
    return this.amperes.apply((amperes) => Math.min(maxPower, 230 * amperes * phases));
  }
}
