import { LendingError } from '@lending/errors';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AggregatorKeys } from '#builds/aggregator-keys.ts';
import { envelopeSchema, leverageEnvelopeSchema } from '#records/envelope-fields.ts';
import type { VerifiedOnChain } from '#records/verified-on-chain.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import type { BuildRequest } from '../builds/build-request.ts';
import { ACCOUNT, accountRow, BANKS, OTHER_ACCOUNT, SOL_MINT, WALLET } from '../testing/account-rows.ts';
import { KAMINO_BANK, kaminoRow, SOL_BANK, USDC_BANK, USDC_MINT } from '../testing/bank-row.ts';
import {
  actionRequest,
  buildOf,
  compiled,
  createFakePlans,
  type FakeBuilders,
  leverageRequest,
  NO_DEBT,
  NO_POLICY,
  SWAP,
} from '../testing/fake-builds.ts';
import { type AccountsWorld, createAccountsApp } from '../testing/test-app.ts';

const DEPOSIT = { authority: WALLET, bank: SOL_BANK, amount: 1.5 };

const LOOP = { authority: WALLET, deposit_bank: SOL_BANK, borrow_bank: USDC_BANK, amount: 1.5, leverage: 2 };
const CLOSE = { authority: WALLET, repay_all: true };

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly builders?: FakeBuilders;
  readonly world?: AccountsWorld;
}
async function post(path: string, body: unknown, { headers = {}, builders = {}, world = {} }: Sent = {}) {
  const app = await createAccountsApp({ accounts: [accountRow()], ...world, builders });
  const response = await app.inject({ method: 'POST', url: `/v1/tx/${path}`, headers, payload: body as object });
  return { status: response.statusCode, headers: response.headers, text: response.payload, body: response.json() };
}

/** What a build is asked for, and with which keys. */
async function built(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const seen: { request: BuildRequest; aggregatorKeys: AggregatorKeys }[] = [];
  const builders: FakeBuilders = {
    buildAction: async (request, { aggregatorKeys }) => {
      seen.push({ request, aggregatorKeys });
      return buildOf(request);
    },
  };
  const reply = await post(path, body, { headers, builders });
  expect(reply.status, reply.text).toBe(200);
  const [only] = seen;
  if (only === undefined) throw new Error('nothing was built');
  return only;
}
const requested = async (path: string, body: unknown): Promise<BuildRequest> => (await built(path, body)).request;

async function refused(path: string, body: unknown, sent: Sent = {}, status = 400) {
  const reply = await post(path, body, sent);
  expect(reply.status, reply.text).toBe(status);
  return wireErrorSchema.parse(reply.body);
}

describe('POST /v1/tx/…', () => {
  it('answers the envelope whole', async () => {
    const plans = createFakePlans();
    const { status, body } = await post('deposit', DEPOSIT, { builders: { plans } });
    expect(status).toBe(200);
    const envelope = envelopeSchema.parse(body);
    expect(envelope.simulation).not.toHaveProperty('premiums');
    expect(envelope).toMatchObject({
      account: ACCOUNT,
      transactions: [
        {
          base64: Buffer.from(compiled().wire).toString('base64'),
          type: 'DEPOSIT',
          label: 'Deposit 1.5 SOL',
          bytes: 300,
          compute_units: 81_234,
          signers: [WALLET],
          writable_count: 1,
        },
      ],
      action_tx_index: 0,
      submit: 'sequential',
      blockhash: { last_valid_block_height: 1_150, expires_in_seconds: 58 },
      simulation: {
        success: true,
        pre_health: { status: 'healthy', health_factor: 1, health_ratio: null },
        post_health: { status: 'healthy', health_factor: 1, health_ratio: null, health_usd: 0 },
        token_changes: [
          {
            mint: SOL_MINT,
            symbol: 'SOL',
            delta_ui: -1.500005,
            delta_raw: '-1500005000',
            delta_usd: -1.500005 * 150.5,
            is_native_sol: true,
          },
        ],
        rates_after: { bank: SOL_BANK, deposit_apy_pct: 5.1, borrow_apy_pct: null },
        slot: 400_001_100,
        compute_units: 81_234,
        warnings: [],
      },
      fees: { network_sol: 0.000005, priority_sol: 0.00000001, tip_sol: 0, rent_sol: 0.017, swap_fee_usd: 0 },
      summary: 'Deposits 1.5 SOL.',
      as_of: { slot: 400_001_100, age_seconds: 5, stale: false, source: 'chain' },
    });
    expect(body).not.toHaveProperty('rebuilt');
    expect(envelope.next_actions).toMatchObject([
      { step: 'sign', args: { signer: WALLET } },
      { step: 'submit', args: { plan_id: envelope.plan_id } },
      { tool: 'svc_get_activity', args: { plan_id: envelope.plan_id } },
    ]);
    expect(plans.rows.get(envelope.plan_id)).toMatchObject({
      authority: WALLET,
      account: ACCOUNT,
      last_valid_block_height: 1_150n,
      envelope: body,
    });
  });

  it('reads every argument', async () => {
    expect(await requested('create-account', { authority: WALLET })).toEqual(
      actionRequest({ kind: 'create_account', bank: null, amount: null }),
    );
    expect(
      await requested('withdraw', {
        authority: ` ${WALLET} `,
        account: ACCOUNT,
        bank: USDC_BANK,
        withdraw_all: true,
        amount: null,
        policy: { min_health_ratio_after: '1.25', max_slippage_bps: '', max_price_impact_pct: null },
        priority_fee: 1_500,
        transaction_version: '1',
        preview_only: '',
        idempotency_key: null,
      }),
    ).toEqual(
      actionRequest({
        ...{ kind: 'withdraw', account: address(ACCOUNT), bank: address(USDC_BANK), amount: 'all' },
        ...{ policy: { ...NO_POLICY, minHealthRatioAfter: 1.25 }, priorityFee: 1_500n, version: 1 },
      }),
    );
  });

  it.each([
    ['deposit', 1.5, '1.5'],
    ['borrow', '0.10', '0.1'],
    ['deposit', 0.1 + 0.2, '0.3'],
    ['repay', 1e-7, '0.0000001'],
    ['withdraw', '12345678901234567.5', '12345678901234567.5'],
  ])('hands the amount of a %s on exactly: %j', async (path, amount, text) => {
    expect((await requested(path, { ...DEPOSIT, amount })).amount).toBe(text);
  });

  it.each([
    ['low', 'low'],
    ['HIGH', 'high'],
    ['2500', 2_500n],
    [0, 0n],
  ])('reads %j as the priority fee %s', async (given, wanted) => {
    expect((await requested('deposit', { ...DEPOSIT, priority_fee: given })).priorityFee).toBe(wanted);
  });

  it.each([
    ['deposit', { ...DEPOSIT, authority: undefined }, 'authority'],
    ['deposit', { ...DEPOSIT, authority: 'me' }, 'authority'],
    ['deposit', { ...DEPOSIT, account: 'x' }, 'account'],
    ['deposit', { ...DEPOSIT, bank: 5 }, 'bank'],
    ['deposit', { ...DEPOSIT, bank: '' }, 'bank'],
    ['deposit', { ...DEPOSIT, amount: undefined }, 'amount'],
    ['deposit', { ...DEPOSIT, amount: '' }, 'amount'],
    ['deposit', { ...DEPOSIT, amount: 0 }, 'amount'],
    ['deposit', { ...DEPOSIT, amount: -1 }, 'amount'],
    ['deposit', { ...DEPOSIT, amount: 'NaN' }, 'amount'],
    ['deposit', { ...DEPOSIT, amount: true }, 'amount'],
    ['borrow', { ...DEPOSIT, priority_fee: 'fast' }, 'priority_fee'],
    ['borrow', { ...DEPOSIT, priority_fee: 1.5 }, 'priority_fee'],
    ['borrow', { ...DEPOSIT, priority_fee: 1e9 }, 'priority_fee'],
    ['borrow', { ...DEPOSIT, transaction_version: 2 }, 'transaction_version'],
    ['borrow', { ...DEPOSIT, transaction_version: 'legacy' }, 'transaction_version'],
    ['borrow', { ...DEPOSIT, preview_only: 'maybe' }, 'preview_only'],
    ['borrow', { ...DEPOSIT, idempotency_key: 'a b' }, 'idempotency_key'],
    ['borrow', { ...DEPOSIT, idempotency_key: 'k'.repeat(101) }, 'idempotency_key'],
    ['borrow', { ...DEPOSIT, policy: 'safe' }, 'policy'],
    ['borrow', { ...DEPOSIT, policy: { min_health_ratio_after: 'high' } }, 'policy.min_health_ratio_after'],
    ['borrow', { ...DEPOSIT, policy: { max_slippage_bps: 501 } }, 'policy.max_slippage_bps'],
    ['borrow', { ...DEPOSIT, policy: { max_price_impact_pct: -1 } }, 'policy.max_price_impact_pct'],
    ['withdraw', { ...DEPOSIT, amount: undefined }, 'amount'],
    ['withdraw', { ...DEPOSIT, amount: undefined, withdraw_all: false }, 'amount'],
    ['withdraw', { ...DEPOSIT, withdraw_all: true }, 'withdraw_all'],
    ['withdraw', { ...DEPOSIT, withdraw_all: 'all' }, 'withdraw_all'],
    ['repay', { ...DEPOSIT, amount: undefined }, 'amount'],
    ['repay', { ...DEPOSIT, repay_all: true }, 'repay_all'],
    ['loop', { ...LOOP, create_new_account: true, account: ACCOUNT }, 'create_new_account'],
    ['loop', { ...LOOP, create_new_account: 'perhaps' }, 'create_new_account'],
    ['loop', { ...LOOP, leverage: undefined }, 'leverage'],
    ['loop', { ...LOOP, leverage: 1 }, 'leverage'],
    ['loop', { ...LOOP, leverage: 0.5 }, 'leverage'],
    ['loop', { ...LOOP, leverage: '1.0000001' }, 'leverage'],
    ['loop', { ...LOOP, leverage: '2x' }, 'leverage'],
    ['loop', { ...LOOP, amount: 0 }, 'amount'],
    ['loop', { ...LOOP, amount: undefined }, 'amount'],
    ['loop', { ...LOOP, deposit_bank: undefined }, 'deposit_bank'],
    ['loop', { ...LOOP, borrow_bank: '' }, 'borrow_bank'],
    ['loop', { ...LOOP, borrow_bank: 5 }, 'borrow_bank'],
    ['close-position', { ...CLOSE, amount: 1 }, 'repay_all'],
    ['close-position', { ...CLOSE, repay_all: false }, 'amount'],
    ['close-position', { ...CLOSE, repay_all: undefined }, 'amount'],
    ['close-position', { ...CLOSE, repay_all: undefined, amount: 1, surplus: 'redeposit' }, 'surplus'],
    ['close-position', { ...CLOSE, surplus: 'burn' }, 'surplus'],
    ['close-position', { ...CLOSE, deposit_bank: 'me' }, 'deposit_bank'],
  ])('refuses a wrong argument of %s by its name: %j', async (path, body, field) => {
    const error = await refused(path, body);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field }, retryable: false });
    expect(error.error).toMatch(/^.* — allowed: .* — correct it and call POST \/v1\/tx\/[a-z-]+ again$/);
    expect(error.error.split(' — ')[0]).toContain(field);
  });

  it.each([
    ['deposit', { ...DEPOSIT, 'x-aggregator1-api-key': 'sk-secret' }, ['x-aggregator1-api-key']],
    ['deposit', { ...DEPOSIT, withdraw_all: 'sk-secret' }, ['withdraw_all']],
    ['create-account', { authority: WALLET, amount: 'sk-secret' }, ['amount']],
    ['deposit', { ...DEPOSIT, policy: { key: 'sk-secret', min_health_ratio_after: 2 } }, ['policy.key']],
    ['loop', { ...LOOP, repay_all: 'sk-secret' }, ['repay_all']],
    ['loop', { ...LOOP, surplus: 'sk-secret' }, ['surplus']],
    ['loop', { ...LOOP, bank: 'sk-secret' }, ['bank']],
    ['loop', { ...LOOP, 'x-aggregator1-api-key': 'sk-secret' }, ['x-aggregator1-api-key']],
    ['close-position', { ...CLOSE, create_new_account: 'sk-secret' }, ['create_new_account']],
    ['close-position', { ...CLOSE, leverage: 'sk-secret' }, ['leverage']],
    ['close-position', { ...CLOSE, bank: 'sk-secret' }, ['bank']],
    ['close-position', { ...CLOSE, withdraw_all: 'sk-secret' }, ['withdraw_all']],
  ])('refuses what %s does not know, and repeats no value: %j', async (path, body, fields) => {
    const error = await refused(path, body);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { fields } });
    expect(JSON.stringify(error)).not.toContain('sk-secret');
  });

  it.each([
    [undefined, 400],
    [[DEPOSIT], 400],
    ['text', 415],
  ])('refuses a body that is no object: %j', async (body, status) => {
    await refused('deposit', body, {}, status);
  });

  it('says that JSON is to be called so', async () => {
    const app = await createAccountsApp({ accounts: [accountRow()] });
    const headers = { 'content-type': 'text/plain;charset=UTF-8' };
    const payload = JSON.stringify(DEPOSIT);
    const response = await app.inject({ method: 'POST', url: '/v1/tx/deposit', headers, payload });
    expect(response.json()).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      error: expect.stringContaining('allowed: application/json'),
    });
  });

  it('names the banks that a symbol or a mint may mean', async () => {
    const world = { store: { listBanks: async () => [...BANKS, kaminoRow()] } };
    const bySymbol = await refused('deposit', { ...DEPOSIT, bank: 'usdc' }, { world });
    expect(bySymbol.details).toEqual({
      field: 'bank',
      candidates: [
        { bank: USDC_BANK, symbol: 'USDC', venue: 'P0' },
        { bank: KAMINO_BANK, symbol: 'USDC', venue: 'Kamino' },
      ],
    });
    const byMint = await refused('deposit', { ...DEPOSIT, bank: USDC_MINT }, { world });
    expect(byMint).toMatchObject({ details: { candidates: [{ bank: USDC_BANK }, { bank: KAMINO_BANK }] } });
    const unknown = await refused('deposit', { ...DEPOSIT, bank: 'sk-secret' }, { world });
    expect(unknown).toMatchObject({ details: { field: 'bank', candidates: [] } });
    expect(JSON.stringify(unknown)).not.toContain('sk-secret');
  });

  it('leaves an address that the tables do not know to the chain', async () => {
    expect(await requested('deposit', { ...DEPOSIT, bank: OTHER_ACCOUNT })).toMatchObject({ bank: OTHER_ACCOUNT });
  });

  it('leaves out the bytes of a preview, and suggests the call that has them', async () => {
    const given = { ...DEPOSIT, policy: { min_health_ratio_after: 1.5 }, preview_only: true, idempotency_key: 'k' };
    const { body } = await post('deposit', given);
    const envelope = envelopeSchema.parse(body);
    expect(envelope.transactions).toMatchObject([{ base64: null, type: 'DEPOSIT', label: 'Deposit 1.5 SOL' }]);
    const [next] = envelope.next_actions;
    expect(next).toMatchObject({ tool: 'svc_deposit' });
    const { body: whole } = await post('deposit', next?.args);
    expect(envelopeSchema.parse(whole).transactions[0]?.base64).not.toBeNull();
    // As text it would be one of too many decimals.
    const divided = await post('deposit', { ...DEPOSIT, amount: 2 / 3, preview_only: true });
    expect(envelopeSchema.parse(divided.body).next_actions[0]?.args).toMatchObject({ amount: 2 / 3 });
  });

  it('never calls an account with a stale price healthy', async () => {
    const { body } = await post('deposit', DEPOSIT, {
      builders: {
        buildAction: async (request) =>
          buildOf(request, {
            postHealth: { ...NO_DEBT, factor: { numerator: 1n, denominator: 4n }, staleBanks: [SOL_BANK] },
          }),
      },
    });
    const { simulation } = envelopeSchema.parse(body);
    expect(simulation.post_health).toMatchObject({ status: 'unknown', health_factor: 0.25 });
    expect(simulation.pre_health.status).toBe('healthy');
    expect(simulation.warnings).toMatchObject([{ code: 'ORACLE_STALE', bank: SOL_BANK }]);
  });

  it('warns once while no run of first contact stands for the program, or one does not trust it', async () => {
    const run = { kind: 'run' as const, at: '2026-11-28T12:00:00Z', exceptions: [], deploy_slot: 1 };
    const warnings = async (verifiedOnChain: VerifiedOnChain | null) => {
      const { body } = await post('deposit', DEPOSIT, { world: { verifiedOnChain: () => verifiedOnChain } });
      return envelopeSchema.parse(body).simulation.warnings.map(({ code, message }) => [code, message]);
    };
    const command = expect.stringContaining('npm run smoke -- --rpc URL');
    expect(await warnings(null)).toEqual([['NOT_VERIFIED_ON_CHAIN', command]]);
    expect(await warnings({ ...run, verdict: 'not_trusted' })).toEqual([['NOT_VERIFIED_ON_CHAIN', command]]);
    expect(await warnings({ ...run, verdict: 'trusted_except' })).toEqual([]);
    expect(await warnings({ ...run, verdict: 'trusted' })).toEqual([]);
  });

  it('says what debts bear in premium before and after', async () => {
    const change = { bank: address(USDC_BANK), beforePct: 0, afterPct: 9.9999997 };
    const { body } = await post('borrow', DEPOSIT, {
      builders: {
        buildAction: async (request) => buildOf(request, { premiums: [change] }),
      },
    });
    const premiums = [{ bank: USDC_BANK, before_apr_pct: 0, after_apr_pct: 9.9999997 }];
    expect(envelopeSchema.parse(body).simulation.premiums).toEqual(premiums);
  });

  it('answers the refusal of a build with its numbers, and nothing else', async () => {
    const plans = createFakePlans();
    const reply = await post('borrow', DEPOSIT, {
      builders: {
        plans,
        buildAction: async () => {
          throw new LendingError('ACTION__BORROW_EXCEEDED', {
            message: 'Too much — allowed: 3 — lower amount',
            context: { max_borrow: 3, limited_by: 'health' },
          });
        },
      },
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      code: 'BORROW_LIMIT_EXCEEDED',
      details: { max_borrow: 3, limited_by: 'health' },
      docs: 'http://localhost:80/v1/docs/BORROW_LIMIT_EXCEEDED',
    });
    expect(reply.body).not.toHaveProperty('transactions');
    expect(plans.rows.size).toBe(0);
  });

  it('says when to come back while the node is away', async () => {
    const reply = await post('deposit', DEPOSIT, {
      builders: {
        buildAction: async () => {
          throw new LendingError('CHAIN__RPC_UNAVAILABLE', { message: 'https://node/key-123 is away' });
        },
      },
    });
    expect(reply.status).toBe(503);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(reply.body).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true, details: {} });
    expect(reply.text).not.toContain('key-123');
  });
});

describe('POST /v1/tx/loop', () => {
  it('reads every argument, and keeps leverage and amount exact', async () => {
    const { request } = await built('loop', { ...LOOP, account: null, create_new_account: true });
    expect(request).toEqual({ ...leverageRequest(), amountNumber: '1.5' });
    const exact = { amount: '12345678901.123456789', leverage: '1.000001', account: ACCOUNT };
    expect((await built('loop', { ...LOOP, ...exact, create_new_account: false })).request).toMatchObject({
      ...exact,
      createsAccount: false,
    });
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
    const { request } = await built('close-position', CLOSE);
    const close = { kind: 'close_position', depositBank: null, borrowBank: null, createsAccount: false } as const;
    expect(request).toEqual(leverageRequest({ ...close, amount: 'all', leverage: null }));
    const whole = { authority: WALLET, account: ACCOUNT, deposit_bank: SOL_BANK, borrow_bank: USDC_BANK };
    expect((await built('close-position', { ...whole, amount: 0.1, surplus: 'Wallet' })).request).toMatchObject({
      account: ACCOUNT,
      depositBank: SOL_BANK,
      borrowBank: USDC_BANK,
      amount: '0.1',
      surplus: 'wallet',
    });
    expect((await built('close-position', { ...CLOSE, surplus: 'redeposit' })).request).toMatchObject({
      surplus: 'redeposit',
    });
  });
});

describe('the keys of a caller', () => {
  const headers = { 'x-aggregator1-api-key': 'sk-one', 'x-aggregator2-api-key': 'sk-two' };

  it.each([
    ['loop', LOOP],
    ['close-position', CLOSE],
  ])('go with a %s, beside its request', async (path, body) => {
    const { request, aggregatorKeys } = await built(path, body, headers);
    expect(aggregatorKeys).toEqual({ jupiter: 'sk-one', dflow: 'sk-two' });
    expect(JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'sk-',
    );
    expect((await built(path, body, { 'x-jupiter-api-key': 'sk-alias' })).aggregatorKeys).toEqual({
      jupiter: 'sk-alias',
      dflow: null,
    });
    expect((await built(path, body)).aggregatorKeys).toEqual({ jupiter: null, dflow: null });
  });

  it('go with nothing else', async () => {
    const deposit = { authority: WALLET, bank: SOL_BANK, amount: 1 };
    expect((await built('deposit', deposit, headers)).aggregatorKeys).toEqual({ jupiter: null, dflow: null });
    const odd = { 'x-aggregator1-api-key': 'two words' };
    expect((await built('deposit', deposit, odd)).aggregatorKeys).toEqual({ jupiter: null, dflow: null });
  });

  it('are refused by the name of their header, and never repeated', async () => {
    const error = await refused('loop', LOOP, { headers: { 'x-aggregator2-api-key': 'sk-secret sk-secret' } });
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'x-aggregator2-api-key' } });
    expect(JSON.stringify(error)).not.toContain('sk-secret');
  });
});
