import type { TlsOptions } from 'node:tls';

/** What we speak, whoever the certificate says we are: TLS 1.2 or newer, and HTTP/1.1, whose connections and requests our limits count. */
export const TLS_CONTEXT = { minVersion: 'TLSv1.2' } as const satisfies TlsOptions;
