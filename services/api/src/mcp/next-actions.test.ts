import type { TransactionRecord } from '@lending/chain';
import { address } from '@solana/kit';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { planLandingReplySchema, simulationReplySchema } from '#records/landing-fields.ts';
import { type NextAction, STEPS } from '#records/reply-fields.ts';
import { createRestOperations, createTools, type OperationDeps } from '#tools/registry.ts';
import type { Tool } from '#tools/tool.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { ACCOUNT, accountRow, activityRow, balanceRow, OTHER_ACCOUNT, WALLET } from '../testing/account-rows.ts';
import { CHAIN_TIME_MS, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { buildOf, compiled, createFakeBuildChain, PROGRAM } from '../testing/fake-builds.ts';
import { createAccountsApp } from '../testing/test-app.ts';
import { wireTransaction } from '../testing/wire-transaction.ts';
import { listenForAgents } from './testing/mcp-clients.ts';

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const WIRE = wireTransaction(PROGRAM);
const POOR = 'Config1111111111111111111111111111111111111';

const chain = createFakeBuildChain();
let tools: Awaited<ReturnType<typeof client.listTools>>['tools'];
const debt = balanceRow({ bank: USDC_BANK, asset_shares: '0', liability_shares: '900000000' });
const app = await createAccountsApp({
  accounts: [accountRow(), accountRow({ address: OTHER_ACCOUNT, authority: POOR, balances: [debt] })],
  builders: {
    chain,
    buildAction: async (request) =>
      buildOf(request, { transactions: [compiled({ wire: new Uint8Array(Buffer.from(WIRE, 'base64')) })] }),
  },
  store: {
    readActivity: async () => [activityRow({ kind: 'liquidation' })],
    readActivityPrices: async () => [],
  },
});
const client = await listenForAgents(app);
({ tools } = await client.listTools());
afterAll(async () => {
  await client.close();
  await app.close();
});

type Args = Readonly<Record<string, unknown>>;
const call = (name: string, args: Args) => client.callTool({ name, arguments: args });
async function ask(name: string, args: Args): Promise<Args> {
  const { isError, structuredContent } = await call(name, args);
  expect(isError ?? false, JSON.stringify([name, args, structuredContent])).toBe(false);
  return structuredContent as Args;
}
const DEPOSIT = { authority: WALLET, bank: SOL_BANK, amount: 1.5 };
const plan = async () => String((await ask('svc_deposit', DEPOSIT)).plan_id);
async function expiredPlan(): Promise<string> {
  const planId = await plan();
  chain.blockHeight = 2_000n;
  return planId;
}

const LOOP = { authority: WALLET, deposit_bank: SOL_BANK, borrow_bank: USDC_BANK, amount: 1.5, leverage: 2 };
const BUILDS: readonly (readonly [string, Args])[] = [
  ['svc_create_account', { authority: WALLET }],
  ['svc_deposit', DEPOSIT],
  ['svc_withdraw', { authority: WALLET, bank: SOL_BANK, withdraw_all: true }],
  ['svc_borrow', { ...DEPOSIT, amount: '1.5', policy: { min_health_ratio_after: '1.5' } }],
  ['svc_repay', { ...DEPOSIT, priority_fee: 1_500, transaction_version: 1 }],
  ['svc_loop', { ...LOOP, create_new_account: true }],
  ['svc_close_position', { authority: WALLET, account: ACCOUNT, repay_all: true }],
];
/** Calls whose answers say what is next, each with what it may say. */
const CALLS: readonly (readonly [string, () => Args | Promise<Args>])[] = [
  ['svc_get_wallet', () => ({ address: WALLET })],
  ['svc_get_positions', () => ({ address: WALLET })],
  ['svc_get_positions', () => ({ address: POOR })],
  ['svc_get_positions', () => ({ address: PROGRAM })],
  ['svc_get_health', () => ({ account: ACCOUNT })],
  ['svc_get_health', () => ({ account: OTHER_ACCOUNT })],
  ['svc_get_health', async () => ({ plan_id: await expiredPlan() })],
  ['svc_get_activity', () => ({ address: WALLET })],
  ...BUILDS.map(([name, args]) => [name, () => args] as const),
  ...BUILDS.map(([name, args]) => [name, () => ({ ...args, preview_only: true, idempotency_key: name })] as const),
];

/** A tool that exists, with arguments that its schema and it itself take; or a step of the list. */
async function expectPossible(action: NextAction): Promise<void> {
  expect(action.why).not.toBe('');
  if ('step' in action) return expect(STEPS).toContain(action.step);
  const tool = tools.find(({ name }) => name === action.tool);
  expect(tool, `${action.tool} is a tool`).toBeDefined();
  const schema = z.fromJSONSchema(tool?.inputSchema as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse(action.args).error, JSON.stringify(action)).toBeUndefined();
  await ask(action.tool, action.args);
}

describe('next_actions', () => {
  it.each(CALLS)('of %s are tools with arguments they take, or steps (%#)', async (name, argsOf) => {
    chain.blockHeight = 1_000n;
    const actions = (await ask(name, await argsOf())).next_actions as NextAction[];
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.length).toBeLessThanOrEqual(3);
    for (const action of actions) await expectPossible(action);
  });

  it('are the same over REST', async () => {
    chain.blockHeight = 1_000n;
    const planId = await expiredPlan();
    const replies = [
      await app.inject({ method: 'POST', url: '/v1/tx/deposit', payload: DEPOSIT }),
      await app.inject({ method: 'POST', url: '/v1/tx/loop', payload: { ...LOOP, preview_only: true } }),
      await app.inject({ method: 'POST', url: '/v1/tx/simulate', payload: { plan_id: planId } }),
      await app.inject({ method: 'POST', url: '/v1/tx/simulate', payload: { transactions: [WIRE] } }),
      await app.inject(`/v1/account/${WALLET}`),
    ];
    for (const reply of replies) {
      expect(reply.statusCode, reply.payload).toBe(200);
      for (const action of reply.json().next_actions as NextAction[]) await expectPossible(action);
    }
  });

  it('are in no answer but these', () => {
    const unused = new Proxy({}, { get: () => unused }) as never;
    const deps: OperationDeps = { reads: unused, builders: unused, guide: unused };
    const says = ({ output }: Pick<Tool, 'output'>) => Object.hasOwn((output as z.ZodObject).shape, 'next_actions');
    const names = createTools(deps)
      .filter(says)
      .map(({ name }) => name);
    expect(new Set(CALLS.map(([name]) => name))).toEqual(new Set(names));
    expect(
      createRestOperations(deps)
        .filter(says)
        .map(({ name }) => name),
    ).toEqual(['svc_simulate_transactions']);
  });
});

describe('a plan over MCP', () => {
  const record: TransactionRecord = {
    signature: SIGNATURE,
    slot: 400_001_150n,
    unixTimestamp: BigInt(CHAIN_TIME_MS / 1000),
    version: 0,
    isFailed: false,
    instructions: [
      {
        ...{ instructionIndex: 0, innerIndex: null, depth: 1, programId: PROGRAM },
        ...{ accounts: [address(WALLET)], data: Uint8Array.of(1) },
      },
    ],
    logs: [],
    feePayer: address(WALLET),
    signers: [address(WALLET)],
    writable: [],
    feeLamports: 5_000n,
    lamports: [],
    tokenBalances: [],
  };

  it('is simulated again by svc_get_health, as over REST', async () => {
    chain.blockHeight = 1_000n;
    const planId = await plan();
    const reply = simulationReplySchema.parse(await ask('svc_get_health', { plan_id: planId }));
    expect(reply).toMatchObject({ would_land: true, plan_id: planId });
    const payload = { plan_id: planId };
    expect((await app.inject({ method: 'POST', url: '/v1/tx/simulate', payload })).json()).toEqual(reply);
  });

  it('is verified by svc_get_activity: by its own id, by the signature, and by both', async () => {
    chain.blockHeight = 1_000n;
    const planId = await plan();
    const verify = async (args: Args) => planLandingReplySchema.parse(await ask('svc_get_activity', args));
    expect(await verify({ plan_id: planId })).toMatchObject({ landed: null, signature: null });
    chain.landed.set(SIGNATURE, { record, base64: WIRE, error: null, confirmationStatus: 'finalized' });
    const found = await verify({ plan_id: planId });
    expect(found).toMatchObject({ landed: true, signature: SIGNATURE, plan: { transaction_index: 0 } });
    expect(await verify({ plan_id: planId, signature: SIGNATURE })).toEqual(found);
    expect(await verify({ signature: SIGNATURE })).toMatchObject({ landed: true, plan: null });
  });

  it('leaves the other arguments empty', async () => {
    const planId = await plan();
    const empty = { address: '', kind: null, signature: null };
    expect(await ask('svc_get_activity', { plan_id: planId, ...empty })).toMatchObject({ plan: { plan_id: planId } });
    expect(await ask('svc_get_activity', { address: WALLET, plan_id: '', signature: null })).toHaveProperty('activity');
    expect(await ask('svc_get_health', { account: ACCOUNT, plan_id: null })).toMatchObject({ account: ACCOUNT });
  });

  it('takes the wording that the schema lists, though a plan is answered in one', async () => {
    const planId = await plan();
    const about = { plan_id: planId };
    expect(await ask('svc_get_health', { ...about, response_format: 'concise' })).toMatchObject(about);
    const activity = await ask('svc_get_activity', { ...about, response_format: 'detailed', format: 'json' });
    expect(activity).toMatchObject({ plan: about });
  });

  it.each([
    ['svc_get_activity', { address: WALLET, signature: SIGNATURE }, /"address" — allowed: signature, plan_id/],
    ['svc_get_health', { plan_id: 'mine' }, /^plan_id .* call svc_get_health again$/],
    ['svc_get_activity', {}, /^address is missing/],
  ])('%s refuses %j by the name of the field', async (name, args, words) => {
    const { isError, structuredContent } = await call(name, args);
    expect(isError).toBe(true);
    expect(wireErrorSchema.parse(structuredContent)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      error: expect.stringMatching(words),
    });
  });
});
