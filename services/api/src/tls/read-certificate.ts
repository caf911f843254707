import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { invalidConfig } from '@lending/runtime';
import { TLS_CONTEXT } from './tls-context.ts';

/** What says who we are, to whoever speaks TLS with us. */
export interface Certificate {
  /** PEM: our own first, then those that signed it. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** When it holds, ms since 1970. */
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface CertificateSettings {
  readonly TLS_CERT?: string | undefined;
  readonly TLS_KEY?: string | undefined;
}

type Name = keyof CertificateSettings;

/**
 * Reads the certificate and the key that settings name; null where they name none. One that ran out is no error: who asks refuses it, or does
 * not mind, and a service that does not start helps nobody.
 * @throws CONFIG__INVALID naming the setting: one without the other, a file that cannot be read, no PEM, a key that is another's.
 */
export function readCertificate({ TLS_CERT, TLS_KEY }: CertificateSettings): Certificate | null {
  if (TLS_CERT === undefined && TLS_KEY === undefined) return null;
  if (TLS_CERT === undefined) throw unfit('TLS_CERT', undefined, 'both of TLS_CERT and TLS_KEY, or neither');
  if (TLS_KEY === undefined) throw unfit('TLS_KEY', undefined, 'both of TLS_CERT and TLS_KEY, or neither');
  const cert = readPem('TLS_CERT', TLS_CERT);
  const key = readPem('TLS_KEY', TLS_KEY);
  const own = parseCertificate(TLS_CERT, cert);
  if (!own.checkPrivateKey(parseKey(TLS_KEY, key))) {
    throw unfit('TLS_KEY', TLS_KEY, 'the key of the certificate that is the first in TLS_CERT; this one is another’s');
  }
  try {
    createSecureContext({ ...TLS_CONTEXT, cert, key });
  } catch (error) {
    throw unfit('TLS_CERT', TLS_CERT, `a certificate and key that OpenSSL takes: ${reasonOf(error)}`);
  }
  return { cert, key, fromMs: Date.parse(own.validFrom), untilMs: Date.parse(own.validTo) };
}

function readPem(name: Name, path: string): string {
  // A key itself, where its path belongs: it must not be repeated.
  if (path.includes('-----BEGIN')) throw unfit(name, path, 'the path of a PEM file, not what stands in it', true);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unfit(name, path, `the path of a PEM file that this user may read: ${reasonOf(error)}`);
  }
}

function parseCertificate(path: string, pem: string): X509Certificate {
  try {
    // Node would take DER, too, and OpenSSL not.
    if (pem.includes('-----BEGIN')) return new X509Certificate(pem);
  } catch {}
  throw unfit('TLS_CERT', path, 'a PEM file with the certificate, and after it those that signed it; it holds none');
}

function parseKey(path: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const wrong = pem.includes('ENCRYPTED') ? 'it is locked by a passphrase' : 'it holds none';
    throw unfit('TLS_KEY', path, `a PEM file with the certificate’s private key, unlocked; ${wrong}`);
  }
}

function unfit(name: Name, value: string | undefined, allowed: string, secret = false) {
  return invalidConfig([{ name, value, allowed, secret }]);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
