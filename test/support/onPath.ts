import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether there is an executable of this name on the PATH. */
export function isOnPath(executable: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, executable), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
