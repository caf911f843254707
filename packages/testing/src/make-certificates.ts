import { KeyObject, randomUUID, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** What a server shows, and the key to it; both PEM. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateWishes {
  /** Names and addresses of who shows it. Default: this machine. */
  readonly hosts?: readonly string[];
  /** When it holds, days from now. Default: since yesterday, for thirty days. */
  readonly fromDays?: number;
  readonly untilDays?: number;
}

/** An authority that nobody trusts but who is told to. */
export interface MadeAuthority {
  /** PEM: what a client is told to trust. */
  readonly cert: string;
  certify(wishes?: CertificateWishes): Promise<MadeCertificate>;
}

/** Makes an authority of certificates, with keys of its own that are kept nowhere. */
export async function makeAuthority(): Promise<MadeAuthority> {
  // What makes certificates reads decorators by a global that nothing else here should know of.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as Crypto);
  const makeKeys = async () =>
    (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair;
  const serialNumber = () => randomUUID().replaceAll('-', '').replace(/^./, '4');

  const keys = await makeKeys();
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=An authority of a test',
    keys,
    serialNumber: serialNumber(),
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 365 * DAY_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    cert: `${own.toString('pem')}\n`,
    certify: async ({ hosts = ['localhost', '127.0.0.1', '::1'], fromDays = -1, untilDays = 30 } = {}) => {
      const theirs = await makeKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        subject: 'CN=A service of a test',
        issuer: own.subject,
        signingKey: keys.privateKey,
        publicKey: theirs.publicKey,
        serialNumber: serialNumber(),
        notBefore: new Date(Date.now() + fromDays * DAY_MS),
        notAfter: new Date(Date.now() + untilDays * DAY_MS),
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(
            hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
          ),
          await x509.AuthorityKeyIdentifierExtension.create(own),
        ],
      });
      const key = KeyObject.from(theirs.privateKey as webcrypto.CryptoKey).export({ type: 'pkcs8', format: 'pem' });
      return { cert: `${certificate.toString('pem')}\n`, key: String(key) };
    },
  };
}
