import * as pulumi from "@pulumi/pulumi";
import { LocalWorkspace, type LocalWorkspaceOptions, type UpResult } from "@pulumi/pulumi/automation";
import { SiteSettings, type SiteSettingsArgs } from "pulumi-solar-charging";

/**
 * Fails the deployment of a site that is not ready for solar-aware charging after its update. Unlike `requireReady`, it
 * keeps the accepted values: the next deployment sends only the missing ones.
 */
function mustBeReady(): pulumi.ResourceHook {
  return new pulumi.ResourceHook("must be ready", ({ newOutputs }) => {
    const { ready, missing } = newOutputs as { ready: boolean; missing: string[] };
    if (!ready) throw new Error(`the site is not ready: ${missing.join("; ")}`);
  });
}

/** Deploys one site as a separate stack. @throws CommandError if an update fails, or the site is not ready after it */
export async function deploy(
  stackName: string,
  site: SiteSettingsArgs,
  options?: LocalWorkspaceOptions,
): Promise<UpResult> {
  const program = async () => {
    const hooks = [mustBeReady()];
    const home = new SiteSettings(stackName, site, { hooks: { afterCreate: hooks, afterUpdate: hooks } });
    return { ready: home.ready };
  };
  const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "sites", program }, options);
  return await stack.up();
}
