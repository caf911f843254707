import { demoWallet, parseEnvelope, signEnvelope } from '@lending/examples';
import { DEMO_BANKS } from '@lending/localnet';
import { bankLayout } from '@lending/programs';
import { createMetrics } from '@lending/runtime';
import { useDatabase } from '@lending/store/testing';
import { address, getBase64Encoder, type KeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { type HistoryPoller, readMetric, startHistoryPoller, untilStored } from '../src/history/history-poller.ts';
import { type HistoryWorld, MINUTE_MS, openHistoryWorld, SECOND_MS } from '../src/history/history-world.ts';
import { getJson, postJson } from '../src/http.ts';
import { landEnvelope } from '../src/land.ts';
import type { StatusReply } from '../src/replies.ts';
import { untilEqualToChain } from '../src/tables/chain-truth.ts';
import { query, untilProjected } from '../src/tables/query.ts';

/** What one request for a build came to. */
interface Asked {
  readonly kind: string;
  readonly wallet: KeyPairSigner;
  /** The slot that was open when it was asked. */
  readonly slot: bigint;
  readonly status: number;
  readonly code: string | null;
  readonly envelope: ReturnType<typeof parseEnvelope> | null;
  readonly builtSlot: number;
}

const database = useDatabase();
const opened = useOpened();
const metrics = createMetrics();
let world: HistoryWorld;
let poller: HistoryPoller;
let looper: KeyPairSigner;
let saver: KeyPairSigner;
const asked: Asked[] = [];
/** Envelopes that landed in the slot after they were handed out, or did not, and why. */
const landings: { readonly asked: Asked; readonly failure: unknown }[] = [];
const wrongReads: string[] = [];
const slots: Record<string, bigint> = {};
/** Interest of the minutes that all of it takes, at hundreds of percent a year. */
const MOST_GROWN = 1e-4;
const bankOf = (symbol: string) => DEMO_BANKS.find(({ ticker }) => ticker.startsWith(`${symbol} |`))?.address ?? '';

/** A deposit and a loop into an account of its own, built as an agent asks for them. */
const REQUESTS = [
  { kind: 'deposit', wallet: () => saver, body: () => ({ bank: bankOf('USDC'), amount: 5 }) },
  {
    kind: 'loop',
    wallet: () => looper,
    body: () => ({
      deposit_bank: bankOf('JitoSOL'),
      borrow_bank: bankOf('USDC'),
      amount: 1,
      leverage: '1.5',
      create_new_account: true,
    }),
  },
] as const;

async function ask({ kind, wallet, body }: (typeof REQUESTS)[number]): Promise<Asked> {
  const slot = world.localnet.ledger.slot('processed');
  const url = `${world.api.url}/v1/tx/${kind}`;
  const question = { authority: wallet().address, ...body() };
  const { status, body: answer } = await postJson<{ code?: string; as_of?: { slot: number } }>(url, question);
  const envelope = status === 200 ? parseEnvelope(answer) : null;
  const builtSlot = answer.as_of?.slot ?? 0;
  const result = { kind, wallet: wallet(), slot, status, code: answer.code ?? null, envelope, builtSlot };
  asked.push(result);
  return result;
}

/** One second: people act, a build is asked for and sent, banks are read. */
async function second(): Promise<void> {
  world.advance(SECOND_MS);
  for (const request of REQUESTS) {
    const found = await ask(request);
    if (found.envelope === null) continue;
    const failure = await landEnvelope(world.localnet.ledger, found.envelope, found.wallet);
    landings.push({ asked: found, failure });
  }
  await poller.sample();
  await untilStored(world, poller);
  await readBanks();
}

/** The newest sample of each bank says what the bank holds. */
async function readBanks(): Promise<void> {
  const rows = await query<{ address: string; slot: string; value: string }>(
    database,
    `select distinct on (series) rate_series.address, slot::text, asset_share_value::text as value
     from rate_sample join rate_series on id = series where kind = 'bank' order by series, time desc, slot desc`,
  );
  if (rows.length < DEMO_BANKS.length) wrongReads.push(`${rows.length} banks of ${DEMO_BANKS.length}`);
  for (const row of rows) {
    const state = world.localnet.ledger.account(address(row.address), 'confirmed');
    if (state === undefined) continue;
    const { assetShareValue } = bankLayout.decode(state.data);
    // With the interest since the program wrote it.
    const grown = Number(row.value) / (Number(assetShareValue) / 2 ** 48) - 1;
    if (grown < -1e-9 || grown > MOST_GROWN) wrongReads.push(`${row.address} at ${row.slot}: ${row.value}`);
  }
}

async function upgradeTo(version: string, perSlot: number): Promise<void> {
  slots[version] = world.localnet.ledger.slot('processed');
  let isDone = false;
  void world.localnet.upgrade(version, perSlot).then(() => {
    isDone = true;
  });
  await eventually(
    async () => {
      await second();
      if (!isDone) throw new Error('accounts are still too short');
    },
    120_000,
    0,
  );
}

const statusOf = () => getJson<StatusReply>(`${world.api.url}/v1/status`);

describe('the lending program is upgraded while the service runs', () => {
  beforeAll(async () => {
    const startMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS - 30 * MINUTE_MS;
    world = opened.keep(
      await openHistoryWorld({
        ...{ database, startMs, metrics },
        ...{ transactionsPerSecond: 10, programVersion: '0.1.10' },
      }),
    );
    [looper, saver] = [await demoWallet('looper'), await demoWallet('saver')];
    poller = opened.keep(startHistoryPoller(world));
    for (let count = 0; count < 3; count += 1) await second();
    await upgradeTo('0.1.11', 1);
    for (let count = 0; count < 3; count += 1) await second();
    await upgradeTo('0.1.12', 3);
    for (let count = 0; count < 3; count += 1) await second();
  });

  it('[program-upgrade] builds, or says that the program is being upgraded, and nothing else', () => {
    const answers = new Set(asked.map(({ status, code }) => `${status} ${code}`));
    expect(answers).toEqual(new Set(['200 null', '503 PROGRAM_UPGRADING']));
    for (const { kind } of REQUESTS) {
      expect(asked.filter((each) => each.kind === kind && each.status === 200).length).toBeGreaterThan(6);
      expect(asked.some((each) => each.kind === kind && each.status === 503)).toBe(true);
    }
  });

  it('[program-upgrade] lands whatever it built since the program that runs was deployed', () => {
    const [one, two] = [slots['0.1.11'] ?? 0n, slots['0.1.12'] ?? 0n];
    expect(one).toBeGreaterThan(0n);
    expect(two).toBeGreaterThan(one);
    const failed = landings.filter(({ failure }) => failure !== null);
    expect(failed.map(({ asked: { kind, builtSlot }, failure }) => [kind, builtSlot, failure])).toEqual([]);
    expect(landings.some(({ asked: { slot } }) => slot > two)).toBe(true);
  });

  it('[program-upgrade] knows each version by then, and shows that the slot moved', async () => {
    await eventually(async () => expect((await statusOf()).program.version).toBe('0.1.12'), 30_000, 100);
    expect((await statusOf()).program).toEqual({
      version: '0.1.12',
      deploy_slot: Number(slots['0.1.12']),
      standing: 'inferred',
      reason: null,
    });
    expect(await readMetric(metrics, 'program_version_slot')).toBe(Number(slots['0.1.12']));
    expect(await readMetric(metrics, 'program_version_standing', { standing: 'inferred' })).toBe(1);
  });

  it('[program-upgrade] read no bank wrongly meanwhile', () => expect(wrongReads).toEqual([]));

  it('[program-upgrade] says of a transaction from before that the upgrade overtook it', async () => {
    // The same once more under the same blockhash would be the transaction that landed.
    world.advance(SECOND_MS);
    const found = await ask(REQUESTS[0]);
    expect(found.status).toBe(200);
    // The same program once more: its accounts are long enough, but not in the slot of the deployment.
    void world.localnet.upgrade('0.1.12');
    const [signed] = await signEnvelope(found.envelope as NonNullable<Asked['envelope']>, saver);
    if (signed === undefined) throw new TypeError('There is nothing to send');
    const outcome = world.localnet.ledger.submit(new Uint8Array(getBase64Encoder().encode(signed.base64)));
    expect(outcome).toMatchObject({ kind: 'executed', result: { error: { InstructionError: expect.anything() } } });
    world.advance(SECOND_MS);
    const verified = await getJson<{ readonly success: boolean; readonly error: { readonly code: string } }>(
      `${world.api.url}/v1/verify/${signed.signature}?plan_id=${found.envelope?.plan_id}`,
    );
    expect(verified).toMatchObject({ success: false, error: { code: 'PROGRAM_UPGRADING' } });
  });

  it('[program-upgrade] has tables that are the chain', async () => {
    world.localnet.rest();
    for (let count = 0; count < 3; count += 1) world.advance(SECOND_MS);
    await untilProjected(database);
    await untilEqualToChain(database, world.localnet);
  });
});
