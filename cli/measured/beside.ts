import { type MeasuredDevice, roofOf, SINGLE_SETTINGS } from "../../measure/results/model";
import { besideRoof, panelMoveOf } from "./roofWords";
import { besideSettings, type Move, moveOf } from "./settings";

/**
 * The measured values of a device beside the declared ones, each as a sentence.
 * @param declared the values that are declared now @param isAll also show values that agree
 */
export function besideMeasured(
  device: MeasuredDevice,
  declared: Readonly<Record<string, unknown>>,
  { isAll }: { readonly isAll: boolean },
): string[] {
  const roof = roofOf(device);
  return [
    ...(roof ? besideRoof(roof, declared, { isAll }) : []),
    ...besideSettings(device, declared, { isAll }).map(({ words }) => words),
  ];
}

/** The change of a setting, compared with the measurement. Undefined if it moves neither away from it nor to it. */
export function measuredMove(setting: string, from: unknown, to: unknown, device: MeasuredDevice): Move | undefined {
  const single = SINGLE_SETTINGS.find((one) => one === setting);
  const result = single && device.settings?.[single];
  if (result) return moveOf(single, from, to, result);
  const roof = roofOf(device);
  return roof && panelMoveOf(setting, from, to, roof);
}
