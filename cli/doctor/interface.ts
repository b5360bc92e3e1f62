/** JSON types of the fields of a vehicle's device object, by path. */
export const DOCUMENTED: Readonly<Record<string, string>> = {
  __typename: "string",
  id: "string",
  dev_make: "string",
  phys_id: "string",
  dev_type: "string",
  metadata: "object",
  "metadata.id": "string",
  "metadata.dev_id": "string",
  "metadata.dev_type": "string",
  "metadata.dev_make": "string",
  "metadata.phys_id": "string",
  "metadata.setup_complete": "boolean",
  connector_data: "object",
  "connector_data.title": "string",
  "connector_data.display_name": "string",
  "connector_data.location_aware": "boolean",
  config: "object",
  "config.opt_out": "boolean",
  "config.opt_out_until": "string",
  "config.charge_by": "string",
  "config.charge_from": "string",
  "config.guaranteed_max_price": "number|null",
  "config.guaranteed_soc": "number",
  "config.target_soc": "number",
  policy: "string",
  setup_complete: "boolean",
};

/** Fields whose values identify a device or its owner. */
export const IDENTITIES = ["id", "dev_id", "phys_id", "title", "display_name"];
