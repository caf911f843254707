import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { AggregatorKeys } from '#builds/aggregator-keys.ts';
import { leverageEnvelopeSchema } from '#records/envelope-fields.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import type { BuildRequest } from '../builds/build-request.ts';
import { ACCOUNT, accountRow, BANKS, WALLET } from '../testing/account-rows.ts';
import { type AccountsWorld, createAccountsApp } from '../testing/accounts-app.ts';
import { KAMINO_BANK, kaminoRow, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { buildOf, createFakePlans, type FakeBuilders, SWAP } from '../testing/fake-builds.ts';

let app: FastifyInstance | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const LOOP = { authority: WALLET, deposit_bank: SOL_BANK, borrow_bank: USDC_BANK, amount: 1.5, leverage: 2 };
const CLOSE = { authority: WALLET, repay_all: true };
const NO_POLICY = { minHealthRatioAfter: null, maxSlippageBps: null, maxPriceImpactPct: null };

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly builders?: FakeBuilders;
  readonly world?: AccountsWorld;
}
async function post(path: string, payload: object, { headers = {}, builders = {}, world = {} }: Sent = {}) {
  app ??= await createAccountsApp({ accounts: [accountRow()], ...world, builders });
  const response = await app.inject({ method: 'POST', url: `/v1/tx/${path}`, headers, payload });
  return { status: response.statusCode, body: response.json(), text: response.payload };
}

async function requested(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const seen: { request: BuildRequest; aggregatorKeys: AggregatorKeys }[] = [];
  const builders: FakeBuilders = {
    buildAction: async (request, { aggregatorKeys }) => {
      seen.push({ request, aggregatorKeys });
      return buildOf(request);
    },
  };
  await app?.close();
  app = undefined;
  const reply = await post(path, body, { headers, builders });
  expect(reply.status, reply.text).toBe(200);
  const [only] = seen;
  if (only === undefined) throw new Error('nothing was built');
  return only;
}

async function refused(path: string, body: object, sent: Sent = {}) {
  const reply = await post(path, body, sent);
  expect(reply.status, reply.text).toBe(400);
  return wireErrorSchema.parse(reply.body);
}

describe('POST /v1/tx/loop', () => {
  it('reads every argument, and keeps leverage and amount exact', async () => {
    const { request } = await requested('loop', { ...LOOP, account: null, create_new_account: true });
    expect(request).toEqual({
      kind: 'loop',
      authority: WALLET,
      account: null,
      createsAccount: true,
      depositBank: SOL_BANK,
      borrowBank: USDC_BANK,
      amount: '1.5',
      amountNumber: '1.5',
      leverage: '2',
      surplus: 'wallet',
      policy: NO_POLICY,
      priorityFee: 'low',
      version: 0,
      accountIndex: null,
      pinnedSwaps: [],
    });
    const exact = { amount: '12345678901.123456789', leverage: '1.000001', account: ACCOUNT };
    expect((await requested('loop', { ...LOOP, ...exact, create_new_account: false })).request).toMatchObject({
      ...exact,
      createsAccount: false,
    });
  });

  it.each([
    [{ create_new_account: true, account: ACCOUNT }, 'create_new_account'],
    [{ create_new_account: 'perhaps' }, 'create_new_account'],
    [{ leverage: undefined }, 'leverage'],
    [{ leverage: 1 }, 'leverage'],
    [{ leverage: 0.5 }, 'leverage'],
    [{ leverage: '1.0000001' }, 'leverage'],
    [{ leverage: '2x' }, 'leverage'],
    [{ amount: 0 }, 'amount'],
    [{ amount: undefined }, 'amount'],
    [{ deposit_bank: undefined }, 'deposit_bank'],
    [{ borrow_bank: '' }, 'borrow_bank'],
    [{ borrow_bank: 5 }, 'borrow_bank'],
  ])('refuses a wrong argument by its name: %j', async (change, field) => {
    const error = await refused('loop', { ...LOOP, ...change });
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field }, retryable: false });
    expect(error.error).toMatch(/^.* — allowed: .* — correct it and call POST \/v1\/tx\/loop again$/);
  });

  it.each(['repay_all', 'surplus', 'bank', 'x-aggregator1-api-key'])('does not know %s', async (field) => {
    const error = await refused('loop', { ...LOOP, [field]: 'sk-secret' });
    expect(error.details).toMatchObject({ fields: [field] });
    expect(JSON.stringify(error)).not.toContain('sk-secret');
  });

  it('names the banks that a symbol may mean, of the argument it is in', async () => {
    const world = { store: { listBanks: async () => [...BANKS, kaminoRow()] } };
    const error = await refused('loop', { ...LOOP, borrow_bank: 'USDC' }, { world });
    expect(error.details).toEqual({
      field: 'borrow_bank',
      candidates: [
        { bank: USDC_BANK, symbol: 'USDC', venue: 'P0' },
        { bank: KAMINO_BANK, symbol: 'USDC', venue: 'Kamino' },
      ],
    });
  });

  it('answers what became of the position, and of the swap', async () => {
    const plans = createFakePlans();
    const { body } = await post('loop', LOOP, { builders: { plans } });
    const envelope = leverageEnvelopeSchema.parse(body);
    expect(envelope.swap).toEqual({
      aggregator: 'jupiter',
      in_mint: SWAP.inMint,
      in_ui: 400,
      in_raw: '400000000',
      out_mint: SWAP.outMint,
      out_ui: 2.660000001,
      out_raw: '2660000001',
      min_out_ui: 2.6467,
      min_out_raw: '2646700000',
      price_impact_pct: 0.12,
      slippage_bps: 50,
      oracle_deviation_pct: -0.25,
      fee: { mint: SWAP.outMint, raw: '2660000' },
      tried: [
        { aggregator: 'jupiter', outcome: 'chosen', reason: null, in_ui: 400, out_ui: 2.660000001 },
        { aggregator: 'dflow', outcome: 'refused', reason: 'price_impact', in_ui: null, out_ui: null },
      ],
    });
    expect(envelope.simulation.position).toEqual({
      deposit_bank: SOL_BANK,
      deposit_delta_ui: 5,
      deposit_delta_raw: '5000000000',
      borrow_bank: USDC_BANK,
      borrow_delta_ui: 400,
      borrow_delta_raw: '400000000',
      leverage: 2.13,
      max_leverage: 4.56,
      liquidation_price_usd: 96.4,
      price_change_to_liquidation_pct: -35.9,
      borrow_rates_after: { bank: USDC_BANK, deposit_apy_pct: 4.1, borrow_apy_pct: 6.2 },
    });
    expect(envelope.fees.swap_fee_usd).toBe(0.4);
    expect(plans.rows.get(envelope.plan_id)?.envelope).toEqual(body);
  });

  it.each([
    ['where nothing is swapped', null, null, 0],
    ['without a fee', { ...SWAP, quote: { ...SWAP.quote, fee: null }, feeUsd: null }, expect.anything(), 0],
    ['with a fee that has no price', { ...SWAP, feeUsd: null }, expect.anything(), null],
  ])('tells of swap and fee %s', async (_when, swap, shown, feeUsd) => {
    const builders: FakeBuilders = { buildAction: async (request) => buildOf(request, { swap }) };
    const envelope = leverageEnvelopeSchema.parse((await post('loop', LOOP, { builders })).body);
    expect(envelope.swap).toEqual(shown);
    expect(envelope.fees.swap_fee_usd).toBe(feeUsd);
  });

  it('leaves the fields of leverage out of single actions', async () => {
    const { body } = await post('deposit', { authority: WALLET, bank: SOL_BANK, amount: 1 });
    expect(body).not.toHaveProperty('swap');
    expect(body.simulation).not.toHaveProperty('position');
  });
});

describe('POST /v1/tx/close-position', () => {
  it('reads every argument', async () => {
    const { request } = await requested('close-position', CLOSE);
    expect(request).toEqual({
      kind: 'close_position',
      authority: WALLET,
      account: null,
      createsAccount: false,
      depositBank: null,
      borrowBank: null,
      amount: 'all',
      leverage: null,
      surplus: 'wallet',
      policy: NO_POLICY,
      priorityFee: 'low',
      version: 0,
      accountIndex: null,
      pinnedSwaps: [],
    });
    const whole = { authority: WALLET, account: ACCOUNT, deposit_bank: SOL_BANK, borrow_bank: USDC_BANK };
    expect((await requested('close-position', { ...whole, amount: 0.1, surplus: 'Wallet' })).request).toMatchObject({
      account: ACCOUNT,
      depositBank: SOL_BANK,
      borrowBank: USDC_BANK,
      amount: '0.1',
      surplus: 'wallet',
    });
    expect((await requested('close-position', { ...CLOSE, surplus: 'redeposit' })).request).toMatchObject({
      surplus: 'redeposit',
    });
  });

  it.each([
    [{ amount: 1 }, 'repay_all'],
    [{ repay_all: false }, 'amount'],
    [{ repay_all: undefined }, 'amount'],
    [{ repay_all: undefined, amount: 1, surplus: 'redeposit' }, 'surplus'],
    [{ surplus: 'burn' }, 'surplus'],
    [{ deposit_bank: 'me' }, 'deposit_bank'],
  ])('refuses a wrong argument by its name: %j', async (change, field) => {
    const error = await refused('close-position', { ...CLOSE, ...change });
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field } });
  });

  it.each(['create_new_account', 'leverage', 'bank', 'withdraw_all'])('does not know %s', async (field) => {
    expect((await refused('close-position', { ...CLOSE, [field]: true })).details).toMatchObject({ fields: [field] });
  });
});

describe('the keys of a caller', () => {
  const headers = { 'x-aggregator1-api-key': 'sk-one', 'x-aggregator2-api-key': 'sk-two' };

  it.each([
    ['loop', LOOP],
    ['close-position', CLOSE],
  ])('go with a %s, beside its request', async (path, body) => {
    const { request, aggregatorKeys } = await requested(path, body, headers);
    expect(aggregatorKeys).toEqual({ jupiter: 'sk-one', dflow: 'sk-two' });
    expect(JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'sk-',
    );
    expect((await requested(path, body, { 'x-jupiter-api-key': 'sk-alias' })).aggregatorKeys).toEqual({
      jupiter: 'sk-alias',
      dflow: null,
    });
    expect((await requested(path, body)).aggregatorKeys).toEqual({ jupiter: null, dflow: null });
  });

  it('go with nothing else', async () => {
    const deposit = { authority: WALLET, bank: SOL_BANK, amount: 1 };
    expect((await requested('deposit', deposit, headers)).aggregatorKeys).toEqual({ jupiter: null, dflow: null });
    const odd = { 'x-aggregator1-api-key': 'two words' };
    expect((await requested('deposit', deposit, odd)).aggregatorKeys).toEqual({ jupiter: null, dflow: null });
  });

  it('are refused by the name of their header, and never repeated', async () => {
    const error = await refused('loop', LOOP, { headers: { 'x-aggregator2-api-key': 'sk-secret sk-secret' } });
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'x-aggregator2-api-key' } });
    expect(JSON.stringify(error)).not.toContain('sk-secret');
  });
});
