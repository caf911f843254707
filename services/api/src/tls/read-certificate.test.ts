import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority } from '@lending/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { readCertificate } from './read-certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'certificate-'));

const authority = await makeAuthority();
const made = await authority.certify();
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
function write(text: string): string {
  files += 1;
  const path = join(folder, `${files}.pem`);
  writeFileSync(path, text);
  return path;
}
const read = (cert: string, key: string) => readCertificate({ TLS_CERT: write(cert), TLS_KEY: write(key) });

describe('readCertificate', () => {
  it('reads none where none is named', () => {
    expect(readCertificate({})).toBeNull();
  });

  it('reads a certificate with those that signed it, its key, and when it holds', () => {
    const read = readCertificate({ TLS_CERT: write(made.cert + authority.cert), TLS_KEY: write(made.key) });
    expect(read).toMatchObject({ cert: made.cert + authority.cert, key: made.key });
    expect(Number(read?.untilMs) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect(Number(read?.fromMs)).toBeLessThan(Date.now());
  });

  it('takes both from one file', () => {
    const path = write(made.key + made.cert);
    expect(readCertificate({ TLS_CERT: path, TLS_KEY: path })).not.toBeNull();
  });

  it('takes one that ran out: who asks refuses it, or does not mind', async () => {
    const over = await authority.certify({ fromDays: -30, untilDays: -1 });
    expect(read(over.cert, over.key)?.untilMs).toBeLessThan(Date.now());
  });

  it.each(['TLS_CERT', 'TLS_KEY'] as const)('refuses %s alone, and names the other', (name) => {
    const other = name === 'TLS_CERT' ? 'TLS_KEY' : 'TLS_CERT';
    expect(() => readCertificate({ [name]: write(made.cert) })).toThrow(
      `${other} is not set; allowed: both of TLS_CERT and TLS_KEY, or neither`,
    );
  });

  it('names a file that is not there', () => {
    const path = join(folder, 'absent.pem');
    expect(() => readCertificate({ TLS_CERT: path, TLS_KEY: write(made.key) })).toThrow(
      /^TLS_CERT is ".*absent\.pem"; allowed: .*ENOENT/,
    );
    expect(() => readCertificate({ TLS_CERT: write(made.cert), TLS_KEY: path })).toThrow(/^TLS_KEY is .*ENOENT/);
  });

  it('names a folder', () => {
    expect(() => readCertificate({ TLS_CERT: folder, TLS_KEY: write(made.key) })).toThrow(/^TLS_CERT is .*EISDIR/);
  });

  it.each(['', 'no PEM', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'refuses what is no PEM: %j',
    (text) => {
      expect(() => read(text, made.key)).toThrow(/^TLS_CERT is .*it holds none/);
      expect(() => read(made.cert, text)).toThrow(/^TLS_KEY is .*it holds none/);
    },
  );

  it('refuses a key where the certificate belongs, and the other way round', () => {
    expect(() => read(made.key, made.key)).toThrow(/^TLS_CERT is .*it holds none/);
    expect(() => read(made.cert, made.cert)).toThrow(/^TLS_KEY is .*it holds none/);
  });

  it('refuses the key of another certificate, and one that is not the first', async () => {
    const other = await authority.certify();
    expect(() => read(made.cert, other.key)).toThrow(/^TLS_KEY is .*another’s/);
    expect(() => read(authority.cert + made.cert, made.key)).toThrow(/^TLS_KEY is .*first in TLS_CERT/);
  });

  it('refuses a key that is locked', () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' },
    });
    expect(() => read(made.cert, privateKey)).toThrow(/^TLS_KEY is .*it is locked by a passphrase/);
  });

  it('never repeats a key that stands where its path belongs', () => {
    const wrong = () => readCertificate({ TLS_CERT: write(made.cert), TLS_KEY: made.key });
    expect(wrong).toThrow('TLS_KEY is (hidden); allowed: the path of a PEM file, not what stands in it');
  });
});
