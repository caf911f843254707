import { isLendingError, LendingError, toWireError } from '@lending/errors';
import { createLogger } from '@lending/runtime';
import { address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, OTHER_ACCOUNT, SOL_MINT } from '../testing/account-rows.ts';
import { CHAIN_TIME_MS } from '../testing/bank-row.ts';
import {
  actionRequest,
  buildOf,
  compiled,
  createFakeBuildChain,
  createFakePlans,
  type FakeBuildChain,
  lendingAccount,
  leverageRequest,
  PROGRAM,
  SWAP,
} from '../testing/fake-builds.ts';
import { NO_AGGREGATOR_KEYS } from './aggregator-keys.ts';
import type { Build } from './build.ts';
import { createBuildPlaces } from './build-places.ts';
import type { ActionRequest, BuildRequest } from './build-request.ts';
import { createBuildEnvelope, type EnvelopeRequest } from './build-service.ts';

const REQUEST = actionRequest();
const LOOP = leverageRequest();
const PINNED = { aggregator: SWAP.quote.aggregator, inBase: SWAP.quote.inBase, outMint: SWAP.outMint };
const PLANNED_AT = BigInt(CHAIN_TIME_MS / 1000);

let chain: FakeBuildChain;
let plans: ReturnType<typeof createFakePlans>;
let built: BuildRequest[];
let failNext: LendingError | null;
let changes: Partial<Build>;
let nowMs: number;
let ask: (asked?: Partial<EnvelopeRequest>) => ReturnType<ReturnType<typeof createBuildEnvelope>>;

beforeEach(() => {
  chain = createFakeBuildChain();
  plans = createFakePlans();
  built = [];
  failNext = null;
  changes = {};
  nowMs = CHAIN_TIME_MS + 5_000;
  const build = createBuildEnvelope({
    chain: chain.chain,
    program: PROGRAM,
    logger: createLogger({ level: 'silent', name: 'test' }),
    now: () => nowMs,
    plans,
    places: createBuildPlaces({ most: 100, mostPerClient: 100 }),
    slotTime: async () => 400_000n,
    staleAfterMs: 30_000,
    buildAction: async (request) => {
      built.push(request);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (failNext !== null) {
        const failure = failNext;
        failNext = null;
        throw failure;
      }
      // Every build is of another blockhash, so its bytes are its own.
      const wire = compiled().wire.map((byte) => byte ^ built.length);
      const lastValidBlockHeight = chain.blockHeight + 150n;
      return buildOf(request, {
        transactions: [compiled({ wire })],
        blockhash: { value: SOL_MINT, lastValidBlockHeight },
        ...changes,
      });
    },
  });
  ask = (asked) =>
    build({
      request: REQUEST,
      previewOnly: false,
      idempotencyKey: 'k',
      callName: 'svc_deposit',
      client: '10.0.0.1',
      signal: new AbortController().signal,
      report: () => {},
      aggregatorKeys: NO_AGGREGATOR_KEYS,
      nextActions: () => [],
      warnings: [],
      ...asked,
    });
});

const codes = (envelope: Awaited<ReturnType<typeof ask>>) => envelope.simulation.warnings.map(({ code }) => code);
const refusalOf = async (asked?: Partial<EnvelopeRequest>) => {
  const error: unknown = await ask(asked).catch((failure: unknown) => failure);
  if (!isLendingError(error)) throw new Error('it was not refused');
  return error;
};

describe('an idempotency key', () => {
  it('gives the same bytes while a block of the blockhash is left', async () => {
    const first = await ask();
    chain.blockHeight += 150n;
    const again = await ask();
    expect(again.transactions).toEqual(first.transactions);
    expect([again.plan_id, again.blockhash.value]).toEqual([first.plan_id, first.blockhash.value]);
    expect(again).not.toHaveProperty('rebuilt');
    expect(again.blockhash.expires_in_seconds).toBe(0);
    expect(codes(again)).toEqual(['BLOCKHASH_EXPIRING']);
    expect(built).toHaveLength(1);
  });

  it('waits for whoever builds, though not for one that was killed over it', async () => {
    plans.claimKey = async () => {
      nowMs += 4_000;
      return { kind: 'busy' };
    };
    const error = await refusalOf();
    expect(error).toMatchObject({ code: 'DATA__UNAVAILABLE', context: { field: 'idempotency_key' } });
    expect(error.isRetryable).toBe(true);
    expect(built).toHaveLength(0);
  });

  it('builds again once no block is left, on the same new account', async () => {
    const first = await ask();
    chain.blockHeight += 151n;
    const again = await ask();
    expect(again.rebuilt).toBe(true);
    expect(again.transactions).not.toEqual(first.transactions);
    expect(again.plan_id).not.toBe(first.plan_id);
    expect(codes(again)).toEqual([]);
    expect(built[1]).toEqual({ ...REQUEST, accountIndex: 0 });
    expect((await ask()).transactions).toEqual(again.transactions);
    expect(built).toHaveLength(2);
  });

  it('builds on the first account where the wallet has others by now', async () => {
    changes = { newAccountIndex: null };
    await ask();
    chain.blockHeight += 151n;
    await ask();
    expect(built[1]).toEqual({ ...REQUEST, account: ACCOUNT });
  });

  it('warns where the account was created meanwhile, and acts on it', async () => {
    await ask();
    chain.blockHeight += 151n;
    chain.accounts.set(ACCOUNT, lendingAccount({ lastUpdate: PLANNED_AT + 1n }));
    const again = await ask();
    expect(codes(again)).toEqual(['PLAN_MAY_HAVE_LANDED']);
    expect(built[1]).toEqual({ ...REQUEST, account: ACCOUNT });
  });

  it.each([
    ['since the first plan', 0n, ['PLAN_MAY_HAVE_LANDED']],
    ['before it', -1n, []],
  ])('warns where the account was touched %s, however often it was built', async (_when, seconds, warned) => {
    changes = { newAccountIndex: null };
    await ask();
    chain.accounts.set(ACCOUNT, lendingAccount({ lastUpdate: PLANNED_AT + seconds }));
    for (let times = 0; times < 2; times += 1) {
      chain.blockHeight += 151n;
      // Later builds see a later clock.
      changes = { newAccountIndex: null, unixTimestamp: PLANNED_AT + 100n };
      expect(codes(await ask())).toEqual(warned);
    }
  });

  it('says that an account was created already instead of creating another', async () => {
    const request: ActionRequest = { ...REQUEST, kind: 'create_account', bank: null, amount: null };
    const first = await ask({ request });
    chain.accounts.set(ACCOUNT, lendingAccount({ lastUpdate: PLANNED_AT }));
    expect((await ask({ request })).plan_id).toBe(first.plan_id);
    chain.blockHeight += 151n;
    expect(await refusalOf({ request })).toMatchObject({
      code: 'ACTION__SIMULATION_INVALID',
      context: { account: ACCOUNT, plan_id: first.plan_id },
    });
    expect(built).toHaveLength(1);
  });

  it.each([
    ['amount', { request: { ...REQUEST, amount: '1.6' } }],
    ['kind', { request: { ...REQUEST, kind: 'borrow' as const } }],
    ['account', { request: { ...REQUEST, account: address(OTHER_ACCOUNT) } }],
    ['policy', { request: { ...REQUEST, policy: { ...REQUEST.policy, minHealthRatioAfter: 2 } } }],
    ['fee', { request: { ...REQUEST, priorityFee: 5n } }],
    ['bank', { request: { ...REQUEST, bank: address(SOL_MINT) } }],
    ['version', { request: { ...REQUEST, version: 1 as const } }],
    ['preview', { previewOnly: true }],
  ])('is refused with another %s, and goes on with the same', async (_what, asked) => {
    const first = await ask();
    expect(toWireError(await refusalOf(asked)).code).toBe('IDEMPOTENCY_CONFLICT');
    expect((await ask({ request: { ...REQUEST } })).transactions).toEqual(first.transactions);
    expect(built).toHaveLength(1);
  });

  it('is another key for another wallet', async () => {
    await ask();
    await ask({ request: { ...REQUEST, authority: address(OTHER_ACCOUNT) } });
    expect(built).toHaveLength(2);
  });

  it('builds once for all who come at the same time, at first and again', async () => {
    const bytesOf = async () =>
      new Set(
        (await Promise.all(Array.from({ length: 6 }, () => ask()))).map(({ transactions: [one] }) => one?.base64),
      );
    expect((await bytesOf()).size).toBe(1);
    expect(built).toHaveLength(1);
    chain.blockHeight += 151n;
    expect((await bytesOf()).size).toBe(1);
    expect(built).toHaveLength(2);
  });

  it('keeps no failure', async () => {
    failNext = new LendingError('ACTION__BALANCE_EXCEEDED');
    expect((await refusalOf()).code).toBe('ACTION__BALANCE_EXCEEDED');
    const first = await ask();
    chain.blockHeight += 151n;
    failNext = new LendingError('CHAIN__RPC_UNAVAILABLE');
    expect((await refusalOf()).code).toBe('CHAIN__RPC_UNAVAILABLE');
    expect((await ask()).plan_id).not.toBe(first.plan_id);
    expect(built).toHaveLength(4);
  });
});

describe('an idempotency key of leverage', () => {
  it('builds again with a swap of the same amount at the same aggregator, on the same new account', async () => {
    const first = await ask({ request: LOOP });
    chain.blockHeight += 151n;
    const again = await ask({ request: LOOP });
    expect([again.rebuilt, again.account]).toEqual([true, first.account]);
    expect(built).toEqual([LOOP, { ...LOOP, accountIndex: 0, pinnedSwaps: [PINNED] }]);
    chain.blockHeight += 151n;
    await ask({ request: LOOP });
    expect(built[2]).toEqual(built[1]);
  });

  it('creates no second account where the first exists by now', async () => {
    await ask({ request: LOOP });
    chain.blockHeight += 151n;
    chain.accounts.set(ACCOUNT, lendingAccount({ lastUpdate: PLANNED_AT + 1n }));
    expect(codes(await ask({ request: LOOP }))).toEqual(['PLAN_MAY_HAVE_LANDED']);
    expect(built[1]).toEqual({ ...LOOP, account: ACCOUNT, createsAccount: false, pinnedSwaps: [PINNED] });
  });

  it('pins nothing where nothing was swapped', async () => {
    changes = { swap: null, newAccountIndex: null };
    await ask({ request: LOOP });
    chain.blockHeight += 151n;
    await ask({ request: LOOP });
    expect(built[1]).toEqual({ ...LOOP, account: ACCOUNT, createsAccount: false });
  });

  it.each([
    ['leverage', { leverage: '2.01' }],
    ['amount', { amount: '1.51' }],
    ['deposit bank', { depositBank: address(OTHER_ACCOUNT) }],
    ['borrow bank', { borrowBank: null }],
    ['wish for an account', { createsAccount: false }],
    ['surplus', { surplus: 'redeposit' as const }],
    ['slippage', { policy: { ...REQUEST.policy, maxSlippageBps: 30 } }],
    ['kind', { kind: 'close_position' as const }],
  ])('is refused for another %s', async (_what, change) => {
    await ask({ request: LOOP });
    expect((await refusalOf({ request: { ...LOOP, ...change } })).code).toBe('CALLER__IDEMPOTENCY_MISMATCH');
    expect(built).toHaveLength(1);
  });

  it('is the same whoever pays for the quotes, and keeps no key', async () => {
    const first = await ask({ request: LOOP, aggregatorKeys: { jupiter: 'sk-one', dflow: null } });
    const again = await ask({ request: LOOP, aggregatorKeys: { jupiter: null, dflow: 'sk-two' } });
    expect(again.plan_id).toBe(first.plan_id);
    const kept = JSON.stringify([...plans.rows.values()], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(kept).toContain(first.plan_id);
    expect(kept).not.toContain('sk-');
  });
});

describe('without a key', () => {
  it('builds every time, and keeps each as a plan', async () => {
    const ids = [(await ask({ idempotencyKey: null })).plan_id, (await ask({ idempotencyKey: null })).plan_id];
    expect([...plans.rows.keys()]).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
  });
});
