import { generate } from "selfsigned";

export type Trust = "trusted" | "for another name" | "expired" | "self-signed";

/** A server's certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  /** The private authority that a client has to be told of. */
  readonly authority: string;
  readonly of: Readonly<Record<Trust, Certificate>>;
}

const DAY_MS = 86_400_000;

/** Certificates for 127.0.0.1, each wrong in one way, made anew because those in a repository run out. */
export async function makeCertificates(): Promise<Certificates> {
  const common = { keyType: "ec", algorithm: "sha256" } as const;
  const authority = await generate([{ name: "commonName", value: "Test authority" }], {
    ...common,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  const issue = async (ip: string, options: { ca?: { key: string; cert: string }; end?: number }) => {
    const { cert, private: key } = await generate([{ name: "commonName", value: "Test service" }], {
      ...common,
      extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip }] }],
      notBeforeDate: new Date(Date.now() - 2 * DAY_MS),
      notAfterDate: new Date(Date.now() + (options.end ?? DAY_MS)),
      ...(options.ca && { ca: options.ca }),
    });
    return { cert, key };
  };
  const ca = { key: authority.private, cert: authority.cert };
  return {
    authority: authority.cert,
    of: {
      trusted: await issue("127.0.0.1", { ca }),
      "for another name": await issue("127.0.0.9", { ca }),
      expired: await issue("127.0.0.1", { ca, end: -DAY_MS }),
      "self-signed": await issue("127.0.0.1", {}),
    },
  };
}
