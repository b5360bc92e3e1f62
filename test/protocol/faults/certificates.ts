import { type Certified, certify, makeAuthority } from "../../support/tls";

export type Trust = "trusted" | "for another name" | "expired" | "self-signed";

export interface Certificates {
  /** The private authority that the client has to trust, as PEM. */
  readonly authority: string;
  readonly of: Readonly<Record<Trust, Certified>>;
}

/** Certificates for 127.0.0.1, each with one fault. */
export async function makeCertificates(): Promise<Certificates> {
  const authority = await makeAuthority();
  return {
    authority: authority.cert,
    of: {
      trusted: await certify({ authority }),
      "for another name": await certify({ authority, address: "127.0.0.9" }),
      expired: await certify({ authority, isExpired: true }),
      "self-signed": await certify({}),
    },
  };
}
