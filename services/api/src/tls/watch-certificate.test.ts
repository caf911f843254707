import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics, type Logger } from '@lending/runtime';
import { type MadeCertificate, makeAuthority } from '@lending/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Certificate, readCertificate } from './read-certificate.ts';
import { watchCertificate } from './watch-certificate.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

const DAY_MS = 86_400_000;
let folder: string;
let stop: AbortController;
let watching: Promise<void>;

const authority = await makeAuthority();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await watching;
  await rm(folder, { recursive: true });
});

const settings = () => ({ TLS_CERT: join(folder, 'tls.crt'), TLS_KEY: join(folder, 'tls.key') });

function write({ cert, key }: MadeCertificate): void {
  writeFileSync(settings().TLS_CERT, cert);
  writeFileSync(settings().TLS_KEY, key);
}

function watch(now: () => number = Date.now) {
  const current = readCertificate(settings()) as Certificate;
  const lines: string[] = [];
  const log = (event: string, fields?: object) => void lines.push(`${event} ${JSON.stringify(fields)}`);
  const logger = { info: log, warn: log } as unknown as Logger;
  const renewed: string[] = [];
  const onRenewed = ({ cert }: Certificate) => void renewed.push(cert);
  const metrics = createMetrics();
  let looked = 0;
  const clock = () => {
    looked += 1;
    return now();
  };
  watching = watchCertificate(
    { settings: settings(), current, onRenewed, logger, metrics, lookEveryMs: 10, now: clock },
    stop.signal,
  );
  /** Resolves when the files were looked at from here on, each look being judged by the clock once. */
  const looks = async () => {
    const before = looked;
    await vi.waitFor(() => expect(looked).toBeGreaterThan(before + 1), PATIENCE);
  };
  const expiresIn = async () => Number(/^api_certificate_expire_seconds (\S+)$/m.exec(await metrics.render())?.[1]);
  return { lines, renewed, looks, expiresIn };
}

describe('watchCertificate', () => {
  it('says nothing while all is well', async () => {
    write(await authority.certify());
    const { lines, renewed, looks } = watch();
    await looks();
    expect([lines, renewed]).toEqual([[], []]);
  });

  it('tells how long it holds, of the one that is shown', async () => {
    write(await authority.certify());
    const untilMs = readCertificate(settings())?.untilMs ?? 0;
    const { expiresIn } = watch(() => untilMs - 5_000);
    expect(await expiresIn()).toBe(5);
    const renewed = await authority.certify();
    write(renewed);
    const renewedUntilMs = readCertificate(settings())?.untilMs ?? 0;
    await vi.waitFor(async () => expect(await expiresIn()).toBe((renewedUntilMs - untilMs) / 1000 + 5), PATIENCE);
  });

  it('hands on what was renewed, once, whichever file came first', async () => {
    write(await authority.certify());
    const { lines, renewed, looks } = watch();
    const next = await authority.certify({ untilDays: 60 });
    writeFileSync(settings().TLS_CERT, next.cert);
    await looks();
    expect(renewed).toEqual([]);
    writeFileSync(settings().TLS_KEY, next.key);
    await vi.waitFor(() => expect(renewed).toEqual([next.cert]), PATIENCE);
    await looks();
    expect(renewed).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^api\.certificate\.renew .*"valid_until"/);
  });

  it('keeps what it has where the next is broken, says so once, and takes the one after', async () => {
    write(await authority.certify());
    const { lines, renewed, looks } = watch();
    writeFileSync(settings().TLS_CERT, 'half of a');
    await vi.waitFor(() => expect(lines).toHaveLength(1), PATIENCE);
    await looks();
    await rm(settings().TLS_KEY);
    await looks();
    expect(renewed).toEqual([]);
    expect(lines[0]).toMatch(/^api\.certificate\.refuse .*TLS_CERT is .*it holds none/);
    expect(lines).toHaveLength(2);
    const next = await authority.certify();
    write(next);
    await vi.waitFor(() => expect(renewed).toEqual([next.cert]), PATIENCE);
  });

  it('says once that it runs out soon, once that it did, and nothing of what holds again', async () => {
    let ahead = 0;
    write(await authority.certify({ untilDays: 30 }));
    const { lines, renewed, looks } = watch(() => Date.now() + ahead);
    for (const days of [24, 31]) {
      ahead = days * DAY_MS;
      await looks();
    }
    expect(lines).toEqual([expect.stringContaining('it runs out soon'), expect.stringContaining('it ran out')]);
    write(await authority.certify({ untilDays: 90 }));
    await vi.waitFor(() => expect(renewed).toHaveLength(1), PATIENCE);
    await looks();
    expect(lines).toHaveLength(3);
  });

  it('says that one does not hold yet', async () => {
    write(await authority.certify({ fromDays: 1, untilDays: 30 }));
    const { lines } = watch();
    await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining('it does not hold yet')]), PATIENCE);
  });
});
