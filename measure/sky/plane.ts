const RADIANS = Math.PI / 180;

/** Panels on one plane. Angles are in degrees, power in W. */
export interface Panels {
  readonly peakPower: number;
  /** Compass bearing that the panels face. */
  readonly azimuth: number;
  /** Tilt from horizontal. */
  readonly tilt: number;
}

/**
 * Panels as one vector: their peak power along the direction that they face (east, north, up). Unlike angles it has no
 * jump: a level roof has no azimuth, but it has a vector.
 */
export type Vector = readonly [east: number, north: number, up: number];

export function vectorOf({ peakPower, azimuth, tilt }: Panels): Vector {
  const level = peakPower * Math.sin(tilt * RADIANS);
  return [
    level * Math.sin(azimuth * RADIANS),
    level * Math.cos(azimuth * RADIANS),
    peakPower * Math.cos(tilt * RADIANS),
  ];
}

export function panelsOf([east, north, up]: Vector): Panels {
  const peakPower = Math.hypot(east, north, up);
  const azimuth = (Math.atan2(east, north) / RADIANS + 360) % 360;
  const tilt = Math.atan2(Math.hypot(east, north), up) / RADIANS;
  return { peakPower, azimuth, tilt };
}

/** Degrees from one bearing to another, from -180 to 180. */
export function turn(from: number, to: number): number {
  return ((((to - from + 180) % 360) + 360) % 360) - 180;
}

/** Degrees between the directions of two vectors. */
export function angleBetween(a: Vector, b: Vector): number {
  const product = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const lengths = Math.hypot(...a) * Math.hypot(...b);
  return lengths > 0 ? Math.acos(Math.max(-1, Math.min(1, product / lengths))) / RADIANS : 0;
}
