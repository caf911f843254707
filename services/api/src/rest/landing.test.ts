import type { TransactionRecord } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import type { Simulator } from '@lending/transactions';
import { address } from '@solana/kit';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { envelopeSchema } from '#records/envelope-fields.ts';
import { landingReplySchema, planLandingReplySchema, simulationReplySchema } from '#records/landing-fields.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import type { Build } from '../builds/build.ts';
import { ACCOUNT, accountRow, OTHER_ACCOUNT, SOL_MINT, WALLET } from '../testing/account-rows.ts';
import { CHAIN_TIME_MS, SOL_BANK, USDC_MINT } from '../testing/bank-row.ts';
import { buildOf, compiled, createFakeBuildChain, type FakeBuildChain, PROGRAM } from '../testing/fake-builds.ts';
import { createAccountsApp } from '../testing/test-app.ts';
import { BLOCKHASH, wireTransaction } from '../testing/wire-transaction.ts';

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const MISSING_PLAN = '00000000-0000-4000-8000-000000000000';
const WIRE = wireTransaction(PROGRAM);
const base64 = (wire: ArrayLike<number>) => Buffer.from(Uint8Array.from(wire)).toString('base64');

const DEPOSIT_LOGS = [
  `Program ${PROGRAM} invoke [1]`,
  'Program log: Instruction: LendingAccountDeposit',
  `Program ${PROGRAM} failed: custom program error: 0x1773`,
];

type Outcome = Awaited<ReturnType<Simulator['simulate']>>;
type Failed = Extract<Outcome, { readonly kind: 'failed' }>;
const failed = (fields: Pick<Failed, 'error' | 'reason'> & Partial<Failed>): Outcome => ({
  ...{ kind: 'failed', by: 'node', slot: 400_001_200n, index: 0, transactions: [], logs: [] },
  ...fields,
});

let app: FastifyInstance;
let chain: FakeBuildChain;
let changes: Partial<Build>;
let simulated: Parameters<Simulator['simulate']>[0];
let deploySlot: () => Promise<bigint | null>;
let outcome: Outcome;

beforeEach(async () => {
  chain = createFakeBuildChain();
  changes = {};
  deploySlot = async () => null;
  outcome = {
    kind: 'passed',
    by: 'in_process',
    slot: 400_001_200n,
    transactions: [{ unitsConsumed: 1_234, feeLamports: null, logs: [] }],
    after: new Map(),
  };
  app = await createAccountsApp({
    accounts: [accountRow()],
    builders: {
      chain,
      deploySlot: () => deploySlot(),
      simulator: {
        simulate: async (transactions) => {
          simulated = transactions;
          return outcome;
        },
      },
      buildAction: async (request) =>
        buildOf(request, {
          transactions: [compiled({ wire: bytes(WIRE), type: 'DEPOSIT' })],
          tokenChanges: [native(-1_500_005_000n)],
          ...changes,
        }),
    },
  });
});
afterEach(() => app.close());

const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const native = (deltaBase: bigint) => ({
  mint: address(SOL_MINT),
  symbol: 'SOL',
  decimals: 9,
  isNativeSol: true,
  deltaBase,
  priceUsd: null,
});

async function plan(body: object = {}) {
  const payload = { authority: WALLET, bank: SOL_BANK, amount: 1.5, ...body };
  const response = await app.inject({ method: 'POST', url: '/v1/tx/deposit', payload });
  return envelopeSchema.parse(response.json());
}

describe('POST /v1/tx/simulate', () => {
  const post = (payload: object) => app.inject({ method: 'POST', url: '/v1/tx/simulate', payload });
  const simulate = async (payload: object) => {
    const response = await post(payload);
    expect(response.statusCode, response.payload).toBe(200);
    return simulationReplySchema.parse(response.json());
  };

  it('runs the transactions of a plan as they were handed out', async () => {
    const { plan_id: planId } = await plan();
    expect(await simulate({ plan_id: planId })).toMatchObject({
      would_land: true,
      error: null,
      simulation: { success: true, slot: 400_001_200, compute_units: [1_234], simulated_by: 'in_process' },
      blockhash: { value: BLOCKHASH, expired: false, blocks_left: 150, expires_in_seconds: 60 },
      plan_id: planId,
      as_of: { slot: 400_001_200, time: new Date(CHAIN_TIME_MS).toISOString(), source: 'chain' },
    });
    expect(simulated).toMatchObject([{ accounts: [WALLET, PROGRAM], writableCount: 1, signers: [WALLET], version: 0 }]);
    expect(simulated[0]?.wire).toEqual(bytes(WIRE));
  });

  it('says that an expired plan lands no more, though it would pass', async () => {
    const { plan_id: planId } = await plan();
    chain.blockHeight = 1_151n;
    const reply = await simulate({ plan_id: planId });
    expect(reply).toMatchObject({ would_land: false, simulation: { success: true }, blockhash: { expired: true } });
    expect(reply.next_actions).toMatchObject([{ tool: 'svc_get_positions', args: { address: ACCOUNT } }]);
  });

  it('gives a failure the code that a builder would give it', async () => {
    const { plan_id: planId } = await plan();
    outcome = failed({ error: [3, { Custom: 6009n }], reason: 'custom program error: 0x1779', logs: DEPOSIT_LOGS });
    const reply = await simulate({ plan_id: planId });
    expect(reply).toMatchObject({
      would_land: false,
      simulation: { success: false, compute_units: [] },
      error: { code: 'DEPOSIT_LIMIT_EXCEEDED', details: { transaction_index: 0, transaction_type: 'DEPOSIT' } },
    });
  });

  it('says of a plan from before an upgrade that it was overtaken, and of one whose node does not answer what failed', async () => {
    const { plan_id: planId } = await plan();
    outcome = failed({ error: [0, { Custom: 3007n }], reason: 'custom program error: 0xbbf' });
    const codeOf = async () => (await simulate({ plan_id: planId })).error?.code;
    const before = await codeOf();
    expect(before).not.toBe('PROGRAM_UPGRADING');
    deploySlot = async () => 400_001_150n;
    expect(await codeOf()).toBe('PROGRAM_UPGRADING');
    deploySlot = async () => 400_001_250n;
    expect(await codeOf()).toBe(before);
    deploySlot = () => Promise.reject(new Error('no node'));
    expect(await codeOf()).toBe(before);
  });

  it('names a limit by what the plan was to do', async () => {
    const { plan_id: planId } = await plan();
    const logs = [`Program ${TOKEN_PROGRAM} invoke [1]`, `Program ${TOKEN_PROGRAM} failed: custom program error: 0x1`];
    outcome = failed({ error: [3, { Custom: 1n }], reason: 'custom program error: 0x1', logs });
    expect((await simulate({ plan_id: planId })).error?.code).toBe('INSUFFICIENT_BALANCE');
    changes = { transactions: [compiled({ wire: bytes(WIRE), type: 'BORROW' })] };
    const { plan_id: loan } = await plan();
    expect((await simulate({ plan_id: loan })).error?.code).toBe('BORROW_LIMIT_EXCEEDED');
  });

  it('takes bytes of anybody’s, whose blockhash the node knows', async () => {
    chain.isBlockhashValid = false;
    const reply = await simulate({ transactions: [WIRE, wireTransaction(PROGRAM, 2)] });
    expect(reply).toMatchObject({
      would_land: false,
      blockhash: { value: BLOCKHASH, expired: true, blocks_left: null, expires_in_seconds: null },
      plan_id: null,
    });
    expect(simulated).toHaveLength(2);
  });

  it.each([
    [{}, 'plan_id'],
    [{ plan_id: MISSING_PLAN, transactions: [WIRE] }, 'plan_id'],
    [{ plan_id: 'x' }, 'plan_id'],
    [{ transactions: [] }, 'transactions'],
    [{ transactions: Array(6).fill(WIRE) }, 'transactions'],
    [{ transactions: ['AAAA'] }, 'transactions'],
    [{ transactions: 'AAAA' }, 'transactions'],
  ])('refuses %j', async (payload, field) => {
    const response = await post(payload);
    expect(response.statusCode, response.payload).toBe(400);
    expect(wireErrorSchema.parse(response.json())).toMatchObject({ details: { field } });
  });

  it.each([
    ['nothing but zeros', base64(new Uint8Array(300))],
    ['a byte too many', base64([...bytes(WIRE), 0])],
    ['more than fits into a packet', wireTransaction(PROGRAM, 1, 1_100)],
  ])('asks no node about %s', async (_, transaction) => {
    const response = await post({ transactions: [transaction] });
    expect(response.json()).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'transactions' } });
  });

  it('knows no other plans, and no bytes of a preview', async () => {
    expect((await post({ plan_id: MISSING_PLAN })).json()).toMatchObject({ code: 'NOT_FOUND' });
    const { plan_id: planId } = await plan({ preview_only: true });
    const response = await post({ plan_id: planId });
    expect(response.json()).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'plan_id' } });
  });
});

describe('GET /v1/verify/{signature}', () => {
  const verify = async (planId?: string) => {
    const response = await app.inject(`/v1/verify/${SIGNATURE}${planId === undefined ? '' : `?plan_id=${planId}`}`);
    expect(response.statusCode, response.payload).toBe(200);
    return landingReplySchema.parse(response.json());
  };

  /** What the bytes of `wireTransaction` call. */
  const callOf = (data: number, account = WALLET): TransactionRecord['instructions'][number] => ({
    ...{ instructionIndex: 0, innerIndex: null, depth: 1, programId: PROGRAM },
    ...{ accounts: [address(account)], data: Uint8Array.of(data) },
  });
  const record = (fields: Partial<TransactionRecord> = {}): TransactionRecord => ({
    signature: SIGNATURE,
    slot: 400_001_150n,
    unixTimestamp: BigInt(CHAIN_TIME_MS / 1000),
    version: 0,
    isFailed: false,
    instructions: [callOf(1)],
    logs: [],
    feePayer: address(WALLET),
    signers: [address(WALLET)],
    writable: [],
    feeLamports: 5_000n,
    lamports: [{ account: address(WALLET), before: 3_000_000_000n, after: 1_499_995_000n }],
    tokenBalances: [],
    ...fields,
  });
  const land = (fields: Partial<TransactionRecord> = {}, { base64 = WIRE, error = null as unknown } = {}) =>
    chain.landed.set(SIGNATURE, { record: record(fields), base64, error, confirmationStatus: 'finalized' });

  it('does not know what no node has seen, and says to ask again', async () => {
    const reply = await verify();
    expect(reply).toMatchObject({ landed: null, success: null, confirmation: null, slot: null, plan: null });
    expect(reply.advice).toContain('ask again');
  });

  it('knows that a plan can no longer land once its blockhash ran out', async () => {
    const { plan_id: planId } = await plan();
    expect((await verify(planId)).landed).toBeNull();
    chain.blockHeight = 1_151n;
    const reply = await verify(planId);
    expect(reply).toMatchObject({ landed: false, plan: { plan_id: planId, matches: null } });
    expect(reply.advice).toContain('can no longer land');
  });

  it('asks again for what landed between the answers about it and about the height', async () => {
    const { plan_id: planId } = await plan();
    chain.blockHeight = 1_151n;
    const { rpc } = chain.chain;
    const statuses = vi.spyOn(rpc, 'getSignatureStatuses');
    statuses.mockReturnValueOnce({ send: async () => ({ value: [null] }) } as never);
    chain.landed.set(SIGNATURE, { record: null, base64: WIRE, error: null, confirmationStatus: 'confirmed' });
    expect(await verify(planId)).toMatchObject({ landed: null, confirmation: 'confirmed' });
    expect(statuses).toHaveBeenCalledTimes(2);
  });

  it('waits for what was seen and is not confirmed', async () => {
    const { plan_id: planId } = await plan();
    chain.blockHeight = 1_151n;
    chain.landed.set(SIGNATURE, { record: null, base64: WIRE, error: null, confirmationStatus: 'processed' });
    expect(await verify(planId)).toMatchObject({ landed: null, confirmation: 'processed', slot: 400_001_150 });
  });

  it('says what moved in the wallet of whoever paid', async () => {
    const mint = address(USDC_MINT);
    const tokens = { mint, decimals: 6, before: 5_000_000n, after: 0n };
    land({
      tokenBalances: [
        { ...tokens, account: address(ACCOUNT), owner: address(WALLET), after: 2_000_000n },
        { ...tokens, account: address(OTHER_ACCOUNT), owner: address(WALLET), before: 0n, after: 1_000_000n },
        { ...tokens, account: address(SOL_BANK), owner: address(OTHER_ACCOUNT) },
      ],
    });
    expect(await verify()).toMatchObject({
      landed: true,
      success: true,
      confirmation: 'finalized',
      slot: 400_001_150,
      time: new Date(CHAIN_TIME_MS).toISOString(),
      error: null,
      fee_sol: 0.000005,
      token_changes: [
        { mint: SOL_MINT, delta_raw: '-1500005000', is_native_sol: true },
        { mint: USDC_MINT, symbol: 'USDC', delta_ui: -2, delta_raw: '-2000000', is_native_sol: false },
      ],
      activity: [],
    });
  });

  it('explains a failed transaction with the code of a builder', async () => {
    const { plan_id: planId } = await plan();
    land({ isFailed: true, logs: DEPOSIT_LOGS }, { error: { InstructionError: [2, { Custom: 6003n }] } });
    const reply = await verify(planId);
    expect(reply).toMatchObject({
      landed: true,
      success: false,
      error: { code: 'DEPOSIT_LIMIT_EXCEEDED', details: { cause: { number: 6003, instructionIndex: 2 } } },
      plan: { transaction_index: 0, compared: [], matches: null },
    });
  });

  it('explains a transaction that no program failed in by the words of the runtime', async () => {
    land({ isFailed: true, logs: [] }, { error: { InsufficientFundsForRent: { account_index: 1 } } });
    const { error } = await verify();
    expect(error).toMatchObject({
      code: 'SIMULATION_FAILED',
      details: { cause: { reason: expect.stringContaining('InsufficientFundsForRent') }, logs: [] },
    });
    expect(error?.error).toContain('InsufficientFundsForRent');
  });

  describe('of one that is in a block and did not run', () => {
    const unrun = { isFailed: true, feeLamports: 0n, logs: null, lamports: [] };
    const error = 'InsufficientFundsForFee';

    it('says that it did not land, and what to do', async () => {
      const { plan_id: planId } = await plan();
      land(unrun, { error });
      const reply = await verify(planId);
      expect(reply).toMatchObject({
        landed: false,
        success: null,
        slot: 400_001_150,
        fee_sol: 0,
        token_changes: [],
        activity: [],
        plan: { plan_id: planId, matches: null },
      });
      expect(reply.error?.error).toContain(`did not run (${error})`);
      expect(reply.advice).toContain('build again');
    });

    it('leaves open what becomes of a durable nonce', async () => {
      const advance = { programId: SYSTEM_PROGRAM, accounts: [], data: Uint8Array.of(4, 0, 0, 0) };
      land({ ...unrun, instructions: [{ ...advance, instructionIndex: 0, innerIndex: null, depth: 1 }] }, { error });
      expect(await verify()).toMatchObject({ landed: null, success: null });
    });
  });

  it('holds it against its plan: what moved in the wallet, and what it did', async () => {
    const { plan_id: planId } = await plan();
    land({ lamports: [{ account: address(WALLET), before: 3_000_000_000n, after: 1_400_000_000n }] });
    const reply = await verify(planId);
    expect(reply.plan).toEqual({
      plan_id: planId,
      transaction_index: 0,
      compared: ['activity', 'token_changes'],
      matches: false,
      differences: [
        { field: 'activity', promised: `deposit in ${SOL_BANK} on ${ACCOUNT}`, actual: 'none' },
        { field: 'token_changes.native', promised: '-1500005000', actual: '-1600000000' },
      ],
    });
  });

  it('holds a transaction beside others to what is its own alone', async () => {
    changes = {
      transactions: [
        compiled({ wire: bytes(wireTransaction(PROGRAM, 9)), type: 'CRANK' }),
        compiled({ wire: bytes(WIRE) }),
      ],
      unitsConsumed: [1, 2],
      actionIndex: 1,
    };
    const { plan_id: planId } = await plan();
    // The crank's own fee is in what was promised of SOL, and not in this transaction.
    land({ lamports: [{ account: address(WALLET), before: 3_000_000_000n, after: 1_600_000_000n }] });
    expect((await verify(planId)).plan).toMatchObject({
      transaction_index: 1,
      compared: ['activity', 'token_changes'],
      differences: [{ field: 'activity' }],
    });
    land({}, { base64: wireTransaction(PROGRAM, 9) });
    expect((await verify(planId)).plan).toMatchObject({ transaction_index: 0, compared: [], matches: null });
  });

  describe('of a plan alone', () => {
    const verifyPlan = async (planId: string) => {
      const response = await app.inject(`/v1/verify?plan_id=${planId}`);
      expect(response.statusCode, response.payload).toBe(200);
      return planLandingReplySchema.parse(response.json());
    };
    const other = (text: string, fields: Partial<TransactionRecord> = { instructions: [callOf(9)] }) => {
      const base64 = wireTransaction(PROGRAM, 9);
      chain.landed.set(text, { record: record(fields), base64, error: null, confirmationStatus: 'finalized' });
    };

    it('finds the transaction of the action by its bytes, and says what the signature would', async () => {
      const { plan_id: planId } = await plan();
      other(SIGNATURE.replace('5', '4'));
      land();
      expect(await verifyPlan(planId)).toEqual(await verify(planId));
      expect(await verifyPlan(planId)).toMatchObject({ signature: SIGNATURE, plan: { transaction_index: 0 } });
    });

    it('says that nothing of it landed: not yet, and once its blockhash ran out no more', async () => {
      const { plan_id: planId } = await plan();
      other(SIGNATURE);
      const early = await verifyPlan(planId);
      expect(early).toMatchObject({ signature: null, landed: null, plan: { plan_id: planId } });
      expect(early.advice).toMatch(/ask again.*pass the signature/s);
      chain.blockHeight = 1_151n;
      expect(await verifyPlan(planId)).toMatchObject({ signature: null, landed: false });
    });

    it('looks at nothing from before the plan', async () => {
      const { plan_id: planId } = await plan();
      land({ slot: 400_001_099n });
      expect(await verifyPlan(planId)).toMatchObject({ signature: null, landed: null });
      land({ slot: 400_001_100n });
      expect(await verifyPlan(planId)).toMatchObject({ signature: SIGNATURE, landed: true });
    });

    it.each([
      ['its signature', verify],
      ['the plan alone', verifyPlan],
    ])('does not take what a node threw away for what never landed, asked by %s', async (_by, ask) => {
      const { plan_id: planId } = await plan();
      chain.blockHeight = 1_151n;
      chain.firstBlock = 400_001_101n;
      const reply = await ask(planId);
      expect(reply.landed).toBeNull();
      expect(reply.advice).toContain('does not reach back');
      chain.firstBlock = 400_001_100n;
      expect((await ask(planId)).landed).toBe(false);
    });

    it.each([
      ['the same call under another blockhash', [callOf(1)]],
      ['instructions of a wallet around it', [callOf(9), callOf(1), callOf(9)]],
      ['the call through another program', [{ ...callOf(1), innerIndex: 0, depth: 2 }]],
    ])('leaves open what %s is, and names it', async (_what, instructions) => {
      const { plan_id: planId } = await plan();
      other(SIGNATURE, { instructions });
      chain.blockHeight = 1_151n;
      const reply = await verifyPlan(planId);
      expect(reply).toMatchObject({ signature: null, landed: null });
      expect(reply.advice).toMatch(new RegExp(`^${SIGNATURE} .* pass the signature`));
    });

    it.each([
      ['other data', [callOf(9)]],
      ['another account', [callOf(1, OTHER_ACCOUNT)]],
      ['another program', [{ ...callOf(1), programId: SYSTEM_PROGRAM }]],
    ])('takes a call with %s for another transaction, though they share the blockhash', async (_what, instructions) => {
      changes = { blockhash: { value: BLOCKHASH, lastValidBlockHeight: 1_150n } };
      const { plan_id: planId } = await plan();
      other(SIGNATURE, { instructions });
      chain.blockHeight = 1_151n;
      expect(await verifyPlan(planId)).toMatchObject({ signature: null, landed: false });
    });

    it('compares a transaction once, however often it is asked', async () => {
      const { plan_id: planId } = await plan();
      other(SIGNATURE);
      const read = vi.spyOn(chain.chain, 'fetchTransaction');
      for (let index = 0; index < 3; index += 1) expect((await verifyPlan(planId)).landed).toBeNull();
      expect(read).toHaveBeenCalledTimes(1);
      other(SIGNATURE.replace('5', '4'));
      await verifyPlan(planId);
      expect(read).toHaveBeenCalledTimes(2);
    });

    it('reads none where there are more than a few', async () => {
      const { plan_id: planId } = await plan();
      for (let index = 0; index < 21; index += 1) other(`${index}`);
      const reads = [vi.spyOn(chain.chain, 'fetchTransaction'), vi.spyOn(chain.chain.rpc, 'getTransaction')];
      chain.blockHeight = 1_151n;
      const reply = await verifyPlan(planId);
      expect(reply).toMatchObject({ signature: null, landed: null });
      expect(reply.advice).toMatch(/pass the signature/);
      for (const read of reads) expect(read).not.toHaveBeenCalled();
    });

    it.each([
      ['does not have', async () => null],
      ['cannot decode', () => Promise.reject(new LendingError('DECODE__TRANSACTION_MALFORMED', { message: '' }))],
    ])('never says that it cannot land where there is a transaction that it %s', async (_what, fetchTransaction) => {
      const { plan_id: planId } = await plan();
      other(SIGNATURE);
      vi.spyOn(chain.chain, 'fetchTransaction').mockImplementation(fetchTransaction);
      chain.blockHeight = 1_151n;
      expect(await verifyPlan(planId)).toMatchObject({ signature: null, landed: null });
      vi.mocked(chain.chain.fetchTransaction).mockRestore();
      expect(await verifyPlan(planId)).toMatchObject({ landed: false });
    });

    it('knows no other plans, and no bytes of a preview', async () => {
      expect((await app.inject(`/v1/verify?plan_id=${MISSING_PLAN}`)).json()).toMatchObject({ code: 'NOT_FOUND' });
      const { plan_id: planId } = await plan({ preview_only: true });
      const field = { code: 'INVALID_ARGUMENT', details: { field: 'plan_id' } };
      expect((await app.inject(`/v1/verify?plan_id=${planId}`)).json()).toMatchObject(field);
      expect((await app.inject('/v1/verify')).json()).toMatchObject(field);
    });
  });

  it('refuses what is no signature, and knows no other plans', async () => {
    for (const text of ['1'.repeat(70), '0'.repeat(64), `${'1'.repeat(63)}%F0%9F%99%82`]) {
      const malformed = await app.inject(`/v1/verify/${text}`);
      expect(malformed.json()).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'signature' } });
    }
    const unknown = await app.inject(`/v1/verify/${SIGNATURE}?plan_id=${MISSING_PLAN}`);
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'NOT_FOUND']);
  });
});
