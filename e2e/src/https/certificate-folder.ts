import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateWishes, makeAuthority } from '@lending/testing';

/** Files of a certificate, as an operator keeps them, and of the authority that clients are told to trust. */
export interface CertificateFolder {
  readonly authority: string;
  readonly authorityFile: string;
  readonly settings: { readonly TLS_CERT: string; readonly TLS_KEY: string };
  /** Writes another certificate of the same authority over the one that was. */
  renew(wishes?: CertificateWishes): Promise<void>;
  remove(): Promise<void>;
}

export async function makeCertificateFolder(): Promise<CertificateFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'https-'));
  const authority = await makeAuthority();
  const settings = { TLS_CERT: join(folder, 'tls.crt'), TLS_KEY: join(folder, 'tls.key') };
  const authorityFile = join(folder, 'ca.crt');
  await writeFile(authorityFile, authority.cert);
  async function renew(wishes?: CertificateWishes): Promise<void> {
    const { cert, key } = await authority.certify(wishes);
    await writeFile(settings.TLS_KEY, key, { mode: 0o600 });
    await writeFile(settings.TLS_CERT, cert);
  }
  await renew();
  const remove = () => rm(folder, { recursive: true, force: true });
  return { authority: authority.cert, authorityFile, settings, renew, remove };
}
