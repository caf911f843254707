import { LendingError } from '@lending/errors';
import { address } from '@solana/kit';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { envelopeSchema } from '#records/envelope-fields.ts';
import type { VerifiedOnChain } from '#records/verified-on-chain.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import type { BuildRequest } from '../builds/build-request.ts';
import { ACCOUNT, accountRow, BANKS, OTHER_ACCOUNT, SOL_MINT, WALLET } from '../testing/account-rows.ts';
import { type AccountsWorld, createAccountsApp } from '../testing/accounts-app.ts';
import { KAMINO_BANK, kaminoRow, SOL_BANK, USDC_BANK, USDC_MINT } from '../testing/bank-row.ts';
import { buildOf, compiled, createFakePlans, type FakeBuilders, NO_DEBT } from '../testing/fake-builds.ts';

let app: FastifyInstance | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const DEPOSIT = { authority: WALLET, bank: SOL_BANK, amount: 1.5 };

async function post(path: string, body: unknown, builders: FakeBuilders = {}, world: AccountsWorld = {}) {
  app ??= await createAccountsApp({ accounts: [accountRow()], ...world, builders });
  const response = await app.inject({ method: 'POST', url: `/v1/tx/${path}`, payload: body as object });
  return { status: response.statusCode, headers: response.headers, text: response.payload, body: response.json() };
}
async function requested(path: string, body: unknown): Promise<BuildRequest> {
  let seen: BuildRequest | undefined;
  const reply = await post(path, body, {
    buildAction: async (request) => {
      seen = request;
      return buildOf(request);
    },
  });
  expect(reply.status, reply.text).toBe(200);
  if (seen === undefined) throw new Error('nothing was built');
  return seen;
}

async function refused(path: string, body: unknown, status = 400) {
  const reply = await post(path, body);
  expect(reply.status, reply.text).toBe(status);
  return wireErrorSchema.parse(reply.body);
}

describe('POST /v1/tx/…', () => {
  it('answers the envelope whole', async () => {
    const plans = createFakePlans();
    const { status, body } = await post('deposit', DEPOSIT, { plans });
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
    expect(await requested('create-account', { authority: WALLET })).toEqual({
      kind: 'create_account',
      authority: WALLET,
      account: null,
      bank: null,
      amount: null,
      policy: { minHealthRatioAfter: null, maxSlippageBps: null, maxPriceImpactPct: null },
      priorityFee: 'low',
      version: 0,
      accountIndex: null,
    });
    await app?.close();
    app = undefined;
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
    ).toEqual({
      kind: 'withdraw',
      authority: WALLET,
      account: ACCOUNT,
      bank: USDC_BANK,
      amount: 'all',
      policy: { minHealthRatioAfter: 1.25, maxSlippageBps: null, maxPriceImpactPct: null },
      priorityFee: 1_500n,
      version: 1,
      accountIndex: null,
    });
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
    await refused('deposit', body, status);
  });

  it('says that JSON is to be called so', async () => {
    app = await createAccountsApp({ accounts: [accountRow()], builders: {} });
    const headers = { 'content-type': 'text/plain;charset=UTF-8' };
    const payload = JSON.stringify(DEPOSIT);
    const response = await app.inject({ method: 'POST', url: '/v1/tx/deposit', headers, payload });
    expect(response.json()).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      error: expect.stringContaining('allowed: application/json'),
    });
  });

  it('names the banks that a symbol or a mint may mean', async () => {
    const store = { listBanks: async () => [...BANKS, kaminoRow()] };
    const reply = await post('deposit', { ...DEPOSIT, bank: 'usdc' }, {}, { store });
    expect(reply.status).toBe(400);
    expect(reply.body.details).toEqual({
      field: 'bank',
      candidates: [
        { bank: USDC_BANK, symbol: 'USDC', venue: 'P0' },
        { bank: KAMINO_BANK, symbol: 'USDC', venue: 'Kamino' },
      ],
    });
    const byMint = await refused('deposit', { ...DEPOSIT, bank: USDC_MINT });
    expect(byMint).toMatchObject({ details: { candidates: [{ bank: USDC_BANK }, { bank: KAMINO_BANK }] } });
    const unknown = await refused('deposit', { ...DEPOSIT, bank: 'sk-secret' });
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
      buildAction: async (request) =>
        buildOf(request, {
          postHealth: { ...NO_DEBT, factor: { numerator: 1n, denominator: 4n }, staleBanks: [SOL_BANK] },
        }),
    });
    const { simulation } = envelopeSchema.parse(body);
    expect(simulation.post_health).toMatchObject({ status: 'unknown', health_factor: 0.25 });
    expect(simulation.pre_health.status).toBe('healthy');
    expect(simulation.warnings).toMatchObject([{ code: 'ORACLE_STALE', bank: SOL_BANK }]);
  });

  it('warns once while no run of first contact stands for the program, or one does not trust it', async () => {
    const run = { kind: 'run' as const, at: '2026-11-28T12:00:00Z', exceptions: [], deploy_slot: 1 };
    const warnings = async (verifiedOnChain: VerifiedOnChain | null) => {
      const { body } = await post('deposit', DEPOSIT, {}, { verifiedOnChain: () => verifiedOnChain });
      await app?.close();
      app = undefined;
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
      buildAction: async (request) => buildOf(request, { premiums: [change] }),
    });
    const premiums = [{ bank: USDC_BANK, before_apr_pct: 0, after_apr_pct: 9.9999997 }];
    expect(envelopeSchema.parse(body).simulation.premiums).toEqual(premiums);
  });

  it('answers the refusal of a build with its numbers, and nothing else', async () => {
    const plans = createFakePlans();
    const reply = await post('borrow', DEPOSIT, {
      plans,
      buildAction: async () => {
        throw new LendingError('ACTION__BORROW_EXCEEDED', {
          message: 'Too much — allowed: 3 — lower amount',
          context: { max_borrow: 3, limited_by: 'health' },
        });
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
      buildAction: async () => {
        throw new LendingError('CHAIN__RPC_UNAVAILABLE', { message: 'https://node/key-123 is away' });
      },
    });
    expect(reply.status).toBe(503);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(reply.body).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true, details: {} });
    expect(reply.text).not.toContain('key-123');
  });
});
