import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChain } from '@lending/chain';
import type { StrictRule } from '@lending/domain';
import { editAccount, type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { bankLayout, MARGINFI_PROGRAM, NEWEST_VERSION } from '@lending/programs';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import { RAISED_RATE_LIMITS, useDatabase } from '@lending/testing';
import {
  appendTransactionMessageInstruction,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  address as toAddress,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { landingReplySchema, simulationReplySchema } from '#records/landing-fields.ts';
import type { ProgramStatus } from '#records/program-status.ts';
import { statusSchema } from '#tools/get-status.ts';
import { apiSettings } from './config.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { createAbsentNode } from './testing/absent-node.ts';
import { createMarketCaller, type MarketCaller } from './testing/market-caller.ts';
import { bankWrite, write } from './testing/tables.ts';

const SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
/** The program is looked at every ten seconds. */
const PATIENCE = { timeout: 30_000, interval: 100 };
const USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
const PAUSED_RULE = 'paused_collateral_zero_weight' satisfies StrictRule;
const AT = '2026-11-28T12:00:00Z';
const logger = createLogger({ level: 'silent', name: 'test' });
const database = useDatabase();
let localnet: OpenedLocalnet;
let api: RunningApi;
let caller: MarketCaller;

const optionsOf = (
  chain: Parameters<typeof startApi>[0]['chain'],
  settings: Readonly<Record<string, string>> = {},
) => ({
  config: parseConfig(apiSettings, { API_PORT: '0', ...RAISED_RATE_LIMITS, FOLLOW_WAIT_MS: '0', ...settings }),
  db: database.db,
  chain,
  logger,
  metrics: createMetrics(),
  version: '0.1.0',
});

beforeAll(async () => {
  localnet = await openLocalnet({
    genesis: { kind: 'demo' },
    slotMs: 20,
    transactionsPerSecond: 0,
    relaxesFeePayer: true,
  });
  await localnet.start();
  api = await startApi(optionsOf(createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' })));
  caller = createMarketCaller(api, localnet);
});
afterAll(async () => {
  await api?.close();
  await localnet?.stop();
});

describe('builders on a chain, with tables that know nothing', () => {
  it('says of a transaction that a block has, and that did not run, that it did not land', async () => {
    const rpc = createSolanaRpc(localnet.rpcUrl);
    const { value: blockhash } = await rpc.getLatestBlockhash().send();
    const poor = await generateKeyPairSigner();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (one) => setTransactionMessageFeePayerSigner(poor, one),
      (one) => setTransactionMessageLifetimeUsingBlockhash(blockhash, one),
      (one) => appendTransactionMessageInstruction({ programAddress: MARGINFI_PROGRAM, data: new Uint8Array(8) }, one),
    );
    const signed = await signTransactionMessageWithSigners(message);
    const wire = getBase64EncodedWireTransaction(signed);
    const signature = await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    const verify = async () => landingReplySchema.parse((await caller.ask(`/v1/verify/${signature}`)).body);
    await expect.poll(async () => (await verify()).slot, PATIENCE).not.toBeNull();
    expect(await verify()).toMatchObject({ landed: false, success: null, fee_sol: 0, token_changes: [], activity: [] });
  });

  it('builds what lands and does what was promised', async () => {
    const envelope = await caller.build('deposit', { bank: SOL_BANK, amount: 1.500000000001 });
    expect(envelope.as_of.source).toBe('localnet');
    expect(envelope.summary).toMatch(/^Deposit 1\.5 SOL into P0 /);
    expect(envelope.simulation.warnings.map(({ code }) => code)).toEqual(['AMOUNT_ROUNDED', 'LOCAL_CHAIN']);
    const simulation = await caller.ask('/v1/tx/simulate', { plan_id: envelope.plan_id });
    const now = simulationReplySchema.parse(simulation.body);
    expect(now).toMatchObject({ would_land: true, error: null, simulation: { pre_health: { assets_usd_maint: 0 } } });
    // Prices move from slot to slot, what the wallet pays does not.
    const raw = (changes: typeof envelope.simulation.token_changes) => changes.map(({ delta_raw: delta }) => delta);
    expect(raw(now.simulation.token_changes ?? [])).toEqual(raw(envelope.simulation.token_changes));
    expect(now.simulation.post_health?.assets_usd_maint).toBeGreaterThan(0);
    expect(await caller.verified(await caller.send(envelope), envelope)).toMatchObject({
      success: true,
      error: null,
      activity: [{ kind: 'create_account' }, { kind: 'deposit', bank: SOL_BANK, amount_raw: '1500000000' }],
      plan: { transaction_index: 0, matches: true, differences: [] },
    });
  });

  it('keeps a plan by its key, and warns once it may have landed', async () => {
    const body = { bank: SOL_BANK, amount: '0.25', idempotency_key: 'quarter' };
    const [first, same] = await Promise.all([caller.build('deposit', body), caller.build('deposit', body)]);
    expect(same.transactions).toEqual(first.transactions);
    const conflict = await caller.ask('/v1/tx/deposit', { authority: caller.authority, ...body, amount: 1 });
    expect([conflict.status, conflict.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    await caller.verified(await caller.send(first), first);
    await caller.expired(first);
    const again = await caller.build('deposit', body);
    expect(again).toMatchObject({ rebuilt: true, account: first.account });
    expect(again.transactions).not.toEqual(first.transactions);
    expect(again.simulation.warnings.map(({ code }) => code)).toContain('PLAN_MAY_HAVE_LANDED');
  });

  it('refuses decimals that the mint does not have, by the name of the field', async () => {
    const body = { authority: caller.authority, bank: SOL_BANK, amount: '0.0000000001' };
    expect(await caller.ask('/v1/tx/deposit', body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT', details: { field: 'amount' } },
    });
  });

  it('refuses a bank that is none', async () => {
    const body = { authority: caller.authority, bank: caller.authority, amount: 1 };
    expect(await caller.ask('/v1/tx/borrow', body)).toMatchObject({ status: 404, body: { code: 'BANK_NOT_FOUND' } });
  });
});

describe('an api whose node is away', () => {
  it('starts, answers reads, and says of builds when to come back', async () => {
    await write(database.db, { banks: [bankWrite()] });
    const apart = await startApi(optionsOf(createAbsentNode()));
    try {
      expect((await fetch(`${apart.url}/v1/banks`)).status).toBe(200);
      const response = await fetch(`${apart.url}/v1/tx/deposit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ authority: caller.authority, bank: SOL_BANK, amount: 1 }),
      });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await response.json()).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', details: {}, retryable: true });
    } finally {
      await apart.close();
    }
  });
});

/** The report of a run against the program as it is deployed. */
async function writeReport(changes: object): Promise<{ readonly path: string; readonly deploySlot: number | null }> {
  const path = join(await mkdtemp(join(tmpdir(), 'first-contact-')), 'first-contact.json');
  const { deploy_slot: deploySlot } = await vi.waitFor(async () => {
    const { program: judged } = await statusOf(api);
    expect(judged).not.toBeNull();
    return judged;
  }, PATIENCE);
  const program = { program: MARGINFI_PROGRAM, deploy_slot: String(deploySlot), version: NEWEST_VERSION };
  const rest = { format: 1, at: AT, genesis: 'genesis', relaxed: [], ...program };
  await writeFile(path, JSON.stringify({ ...rest, ...changes }));
  return { path, deploySlot };
}

describe('an api on a chain that it takes for Solana', () => {
  const chain = () => createChain({ rpcUrls: [localnet.rpcUrl], source: 'chain' });

  it('builds by the rules that a run relaxes: here wrongly, so that the simulation refuses what was refused before it', async () => {
    const { path } = await writeReport({ verdict: 'trusted', exceptions: [], relaxed: [PAUSED_RULE] });
    const deposit = await caller.build('deposit', { bank: SOL_BANK, amount: 1 });
    await caller.verified(await caller.send(deposit), deposit);
    const relaxed = await startApi(optionsOf(chain(), { FIRST_CONTACT_FILE: path }));
    const state = (operationalState: number) =>
      editAccount(localnet.ledger, bankLayout, toAddress(SOL_BANK), (bank) => ({
        ...bank,
        config: { ...bank.config, operationalState },
      }));
    const refusedBy = async (of: RunningApi) => {
      const body = { authority: caller.authority, bank: USDC_BANK, amount: 1 };
      return (await createMarketCaller(of, localnet).ask('/v1/tx/borrow', body)).body;
    };
    state(0);
    try {
      await vi.waitFor(async () => expect((await statusOf(relaxed)).verified_on_chain).not.toBeNull(), PATIENCE);
      expect(await refusedBy(api)).toMatchObject({ code: 'BORROW_LIMIT_EXCEEDED', details: { max_borrow: 0 } });
      expect(await refusedBy(relaxed)).toMatchObject({ details: { cause: { error: 'RiskEngineInitRejected' } } });
    } finally {
      state(1);
      await relaxed.close();
    }
  });

  it('warns until a run of first contact stands for the program, and again once that is deployed anew', async () => {
    const run = { verdict: 'trusted_except', exceptions: ['premium'] };
    const { path, deploySlot } = await writeReport(run);
    const [verified, unverified] = [
      await startApi(optionsOf(chain(), { FIRST_CONTACT_FILE: path })),
      await startApi(optionsOf(chain())),
    ];
    const warned = async (of: RunningApi) =>
      (await createMarketCaller(of, localnet).build('deposit', { bank: SOL_BANK, amount: 1 })).simulation.warnings
        .map(({ code }) => code)
        .filter((code) => code === 'NOT_VERIFIED_ON_CHAIN' || code === 'LOCAL_CHAIN');
    try {
      await vi.waitFor(
        async () =>
          expect((await statusOf(verified)).verified_on_chain).toEqual({
            kind: 'run',
            at: AT,
            ...run,
            deploy_slot: deploySlot,
          }),
        PATIENCE,
      );
      expect(await warned(verified)).toEqual([]);
      expect((await statusOf(unverified)).verified_on_chain).toBeNull();
      expect(await warned(unverified)).toEqual(['NOT_VERIFIED_ON_CHAIN']);
      expect((await statusOf(api)).verified_on_chain).toMatchObject({ kind: 'local_chain' });
      await localnet.upgrade(NEWEST_VERSION);
      await vi.waitFor(async () => expect((await statusOf(verified)).verified_on_chain).toBeNull(), PATIENCE);
      expect(await warned(verified)).toEqual(['NOT_VERIFIED_ON_CHAIN']);
    } finally {
      await verified.close();
      await unverified.close();
    }
  });
});

async function statusOf(of: RunningApi) {
  return statusSchema.parse(await (await fetch(`${of.url}/v1/status`)).json()) as z.output<typeof statusSchema> & {
    readonly program: ProgramStatus;
  };
}
