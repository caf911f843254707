import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenedLocalnet } from '@lending/localnet';
import { bankLayout, marginfiAccountLayout, placeOf as placeOfField } from '@lending/programs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectNode, identifyNode, type Node } from '#node/node.ts';
import { type ContactOptions, runContact } from './run-contact.ts';
import { lying, openStill, placeOf, rewritingAll, type Simulated, settle } from './testing/contact-chain.ts';
import { judge } from './verdict.ts';

let folder: string;
let localnet: OpenedLocalnet | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contact-'));
});
afterEach(async () => {
  await localnet?.stop();
  localnet = undefined;
  await rm(folder, { recursive: true });
});

async function optionsOn(node: Node, lines: string[] = []): Promise<ContactOptions> {
  const cluster = await identifyNode(node);
  const say = (line: string) => void lines.push(line);
  return { ...placeOf(node), cluster, folder, isFresh: false, callsPerSecond: 1_000, say };
}

async function open(version: Parameters<typeof openStill>[0], isUsed = false): Promise<Node> {
  localnet = await openStill(version, { isUsed });
  settle(localnet);
  return connectNode(localnet.rpcUrl);
}

describe('runContact', () => {
  it.each(['0.1.10', '0.1.11', '0.1.12'] as const)('finds that a chain of %s may be trusted', async (version) => {
    const node = await open(version, true);
    const { report } = await runContact(await optionsOn(node));
    expect(judge(report, [])).toEqual({ verdict: 'trusted', exceptions: [] });
    expect(report.program).toMatchObject({ version, reason: null });
    expect(report.healths.filter(({ outcome }) => outcome === 'same').length).toBeGreaterThan(20);
    expect(report.healths.filter(({ outcome }) => outcome !== 'same')).toEqual([]);
    const compared = report.banks.filter(({ outcome }) => outcome === 'same');
    expect([...new Set(compared.map(({ venue }) => venue))].toSorted()).toEqual(['juplend', 'kamino', 'p0', 'solend']);
  });

  it('says in one line of a bank that its cache was never written', async () => {
    const { report } = await runContact(await optionsOn(await open('0.1.12')));
    const [drift] = report.banks.filter(({ venue }) => venue === 'drift');
    expect(drift?.reason).toMatch(/^its cache was never written, and its pulse fails: /);
  });

  it('trusts no chain whose healths are others, and names what differs', async () => {
    const place = placeOfField(marginfiAccountLayout, 'healthCache.assetValueMaint');
    const lie = rewritingAll(marginfiAccountLayout.discriminator, (data) =>
      data.fill(1, place.offset, place.offset + 1),
    );
    const { report } = await runContact(await optionsOn(lying(await open('0.1.12'), lie)));
    const { verdict, exceptions } = judge(report, []);
    expect([verdict, exceptions[0]]).toEqual(['not_trusted', expect.stringMatching(/^\d+ of \d+ healths differ/)]);
    expect(report.healths.find(({ outcome }) => outcome === 'differs')?.differences).toEqual([
      expect.objectContaining({ figure: 'maintenance assets', by: expect.stringMatching(/^-?\d+$/) }),
    ]);
  });

  it('trusts a chain but for the bank whose rate is one unit off', async () => {
    const { offset } = placeOfField(bankLayout, 'cache.lendingRate');
    let isDone = false;
    const lie = rewritingAll(bankLayout.discriminator, (data) => {
      if (isDone || data[offset] === 0) return;
      isDone = true;
      data[offset] = (data[offset] ?? 0) - 1;
    });
    const once = (answered: Simulated, params: readonly unknown[]) =>
      isPulseOfBank(params) ? lie(answered, params) : answered;
    const { report } = await runContact(await optionsOn(lying(await open('0.1.12'), once)));
    const { verdict, exceptions } = judge(report, []);
    expect([verdict, exceptions]).toEqual([
      'trusted_except',
      [expect.stringMatching(/^bank .* \(p0\): cache\.lendingRate by 1$/)],
    ]);
  });

  it('trusts a chain whose node reads far behind what it simulates', async () => {
    const node = await open('0.1.12', true);
    const read = new Map<string, unknown>();
    const keyOf = (...call: readonly unknown[]) =>
      JSON.stringify(call, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
    const recording: Node = {
      ...node,
      async ask<T>(method: string, params: readonly unknown[] = []) {
        const answer = await node.ask<T>(method, params);
        read.set(keyOf(method, params), answer);
        return answer;
      },
    };
    await runContact(await optionsOn(recording));
    for (let slot = 0; slot < 200; slot += 1) localnet?.ledger.advanceSlot();
    let isLate = 0;
    const behind: Node = {
      ...node,
      async ask<T>(method: string, params: readonly unknown[] = []) {
        const late = method === 'simulateTransaction' ? undefined : read.get(keyOf(method, params));
        isLate += late === undefined ? 0 : 1;
        return late === undefined ? node.ask<T>(method, params) : (late as T);
      },
    };
    const { report } = await runContact({ ...(await optionsOn(behind)), isFresh: true });
    expect(isLate).toBeGreaterThan(5);
    expect(judge(report, [])).toEqual({ verdict: 'trusted', exceptions: [] });
  });

  it('goes on where it was interrupted, and starts over for another deployment or where it is to', async () => {
    const node = await open('0.1.12', true);
    let calls = 0;
    const breaking: Node = {
      ...node,
      ask: async (method, params) => {
        calls += method === 'simulateTransaction' ? 1 : 0;
        if (calls > 20) throw new Error('stopped');
        return node.ask(method, params);
      },
    };
    const interrupted = await runContact(await optionsOn(breaking));
    expect(interrupted.report.healths.some(({ outcome }) => outcome === 'not_compared')).toBe(true);
    const lines: string[] = [];
    const { file } = await runContact(await optionsOn(node, lines));
    expect(lines.find((line) => line.startsWith('Going on'))).toMatch(/: 11 answers, [1-9]\d* healths/);
    const fresh: string[] = [];
    await runContact({ ...(await optionsOn(node, fresh)), isFresh: true });
    expect(fresh.filter((line) => line.startsWith('Going on'))).toEqual([]);
    const other: string[] = [];
    const options = await optionsOn(node, other);
    await runContact({ ...options, cluster: { ...options.cluster, genesis_hash: 'another' } });
    expect(other.filter((line) => line.startsWith('Going on'))).toEqual([]);
    await file.remove();
    expect(await readdir(folder)).toEqual([]);
  });
});

/** A simulation that is asked for a bank and no account of a person's first. */
function isPulseOfBank([, options]: readonly unknown[]): boolean {
  const { addresses = [] } = (options as { accounts?: { addresses?: readonly string[] } }).accounts ?? {};
  return addresses.length > 0 && addresses.length < 9;
}
