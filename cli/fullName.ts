/** The name of a device in summaries: `business/device`, or its id alone if the business is not known. */
export function fullNameOf({
  businessId,
  deviceId,
}: {
  readonly businessId?: unknown;
  readonly deviceId: string;
}): string {
  return typeof businessId === "string" && businessId !== "" ? `${businessId}/${deviceId}` : deviceId;
}
