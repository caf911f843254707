import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChain } from '@lending/chain';
import type { StrictRule } from '@lending/domain';
import { DEMO_BANKS, editAccount, type OpenedLocalnet, openLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import { bankLayout, MARGINFI_PROGRAM, NEWEST_VERSION } from '@lending/programs';
import { useDatabase } from '@lending/store/testing';
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
import type { Envelope } from '#records/envelope-fields.ts';
import { landingReplySchema, simulationReplySchema } from '#records/landing-fields.ts';
import type { ProgramStatus } from '#records/program-status.ts';
import { statusSchema } from '#tools/get-status.ts';
import type { RunningApi } from './start-api.ts';
import { SOL_BANK, USDC_BANK } from './testing/bank-row.ts';
import { createMarketCaller, type MarketCaller } from './testing/market-caller.ts';
import { startTestApi } from './testing/start-test-api.ts';

/** The program is looked at every ten seconds. */
const PATIENCE = { timeout: 30_000, interval: 100 };
const USDT_BANK = DEMO_BANKS.find(({ token }) => token === 'USDT')?.address ?? '';
const PAUSED_RULE = 'paused_collateral_zero_weight' satisfies StrictRule;
const AT = '2026-11-28T12:00:00Z';
const database = useDatabase();
let localnet: OpenedLocalnet;
let api: RunningApi;
let caller: MarketCaller;

/** An api on the chain, which it takes for the local one or for Solana. */
function startOn(source: 'localnet' | 'chain', settings: Readonly<Record<string, string>> = {}): Promise<RunningApi> {
  const { jupiter = '', dflow = '' } = localnet.aggregatorUrls ?? {};
  const swaps = { JUPITER_URL: jupiter, DFLOW_URL: dflow, SWAP_PROGRAMS: SWAP_PROGRAM };
  const chain = createChain({ rpcUrls: [localnet.rpcUrl], source });
  return startTestApi(database.db, { FOLLOW_WAIT_MS: '0', ...swaps, ...settings }, { chain });
}

beforeAll(async () => {
  localnet = await openLocalnet({
    genesis: { kind: 'demo' },
    slotMs: 20,
    transactionsPerSecond: 0,
    relaxesFeePayer: true,
  });
  await localnet.start();
  api = await startOn('localnet');
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
  it('builds by the rules that a run relaxes: here wrongly, so that the simulation refuses what was refused before it', async () => {
    const { path } = await writeReport({ verdict: 'trusted', exceptions: [], relaxed: [PAUSED_RULE] });
    const deposit = await caller.build('deposit', { bank: SOL_BANK, amount: 1 });
    await caller.verified(await caller.send(deposit), deposit);
    const relaxed = await startOn('chain', { FIRST_CONTACT_FILE: path });
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
    const [verified, unverified] = [await startOn('chain', { FIRST_CONTACT_FILE: path }), await startOn('chain')];
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

const UNSAID = { deposit_bank: SOL_BANK, borrow_bank: USDC_BANK, amount: '1.5', leverage: 2 };
const LOOP = { ...UNSAID, create_new_account: true };

describe('leverage on a chain', () => {
  let account = '';
  beforeAll(async () => {
    account = (await caller.build('deposit', { bank: SOL_BANK, amount: 1 })).account;
  });

  it('takes the account that is meant: a new one, the only one, or none where there are several', async () => {
    const other = await caller.build('loop', LOOP);
    expect(other.account).not.toBe(account);
    expect((await caller.build('loop', UNSAID)).account).toBe(account);
    await caller.verified(await caller.send(other), other);
    const several = await caller.ask('/v1/tx/loop', { authority: caller.authority, ...UNSAID });
    expect([several.status, several.body.code]).toEqual([409, 'ACCOUNT_AMBIGUOUS']);
    expect(several.body.details).toMatchObject({ accounts: expect.arrayContaining([account, other.account]) });
    expect((await caller.build('loop', { ...UNSAID, account })).account).toBe(account);
  });

  it('repays all debts in one bundle, which lands and does what was promised', async () => {
    const opened = await caller.build('deposit', { account, bank: SOL_BANK, amount: 20 });
    await caller.verified(await caller.send(opened), opened);
    const own = { account };
    const debts: readonly (readonly [string, number])[] = [
      [USDC_BANK, 300],
      [USDT_BANK, 200],
    ];
    for (const [bank, amount] of debts) {
      const borrowed = await caller.build('borrow', { ...own, bank, amount });
      await caller.verified(await caller.send(borrowed), borrowed);
    }
    const body = { ...own, repay_all: true, idempotency_key: 'close-all-1' };
    const first = await caller.build('close-position', body);
    await caller.expired(first);
    const envelope = await caller.build('close-position', body);
    const { swaps = [], simulation, transactions } = envelope;
    expect(swaps.map(({ out_mint: mint }) => mint)).toEqual(first.swaps?.map(({ out_mint: mint }) => mint));
    expect(transactions.map(({ type }) => type)).toEqual(['CLOSE_POSITION', 'CLOSE_POSITION']);
    expect(envelope).toMatchObject({ rebuilt: true, submit: 'bundle', action_tx_index: 1, swap: swaps[1] });
    expect(simulation.position?.borrow_banks).toEqual(debts.map(([bank]) => bank));
    expect(envelope.summary).toMatch(/^Repay all USDC .*, then repay all USDT .* owes nothing afterwards\.$/);
    const again = await caller.ask('/v1/tx/simulate', { plan_id: envelope.plan_id });
    const mintsOf = (changes: Envelope['simulation']['token_changes']) => changes.map(({ mint }) => mint).toSorted();
    const simulated = again.body.simulation as Envelope['simulation'];
    expect(mintsOf(simulated.token_changes)).toEqual(mintsOf(simulation.token_changes));
    const signatures = await caller.sendBundle(envelope);
    const landed = await caller.verified(signatures[1] ?? '', envelope);
    expect(landed).toMatchObject({ success: true, plan: { transaction_index: 1, matches: true } });
    const left = await caller.build('withdraw', { ...own, bank: SOL_BANK, withdraw_all: true });
    expect(left.simulation.pre_health).toMatchObject({ health_ratio: null });
    await caller.verified(await caller.send(left), left);
  });
});

async function statusOf(of: RunningApi) {
  return statusSchema.parse(await (await fetch(`${of.url}/v1/status`)).json()) as z.output<typeof statusSchema> & {
    readonly program: ProgramStatus;
  };
}
