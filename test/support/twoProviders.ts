import { expect } from "chai";
import type { Simulator } from "solar-charging-simulator";
import { CAR } from "./devices";
import type { Project } from "./project";

/**
 * Applies and destroys a program in which two explicit providers, of a business each, serve a car.
 * @param provider the provider of `businessId`, as a text of the program
 * @returns the text of the state while the program is applied
 */
export async function servedByTwoProviders(
  { project, simulator }: { readonly project: Project; readonly simulator: Simulator },
  provider: string,
): Promise<string> {
  const businesses = ["acme", "north"];
  project.program(
    `for (const businessId of ${JSON.stringify(businesses)}) {
       const provider = ${provider};
       new VehicleSettings("car-of-" + businessId, { deviceId: "car", maxCapacity: 77000, onDelete: "restore" }, { provider });
     }`,
    "native",
  );
  await project.up();
  for (const business of businesses) expect(simulator.device(business, "car")).to.include({ max_capacity: 77_000 });
  const state = project.stateText();
  await project.destroy();
  for (const business of businesses) expect(simulator.device(business, "car")).to.deep.equal(CAR);
  return state;
}
