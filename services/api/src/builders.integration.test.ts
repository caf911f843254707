import { createChain } from '@lending/chain';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import { RAISED_RATE_LIMITS, useDatabase } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulationReplySchema } from '#records/landing-fields.ts';
import { apiSettings } from './config.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { createAbsentNode } from './testing/absent-node.ts';
import { createMarketCaller, type MarketCaller } from './testing/market-caller.ts';
import { bankWrite, write } from './testing/tables.ts';

const SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
const logger = createLogger({ level: 'silent', name: 'test' });
const database = useDatabase();
let localnet: OpenedLocalnet;
let api: RunningApi;
let caller: MarketCaller;

const optionsOf = (chain: Parameters<typeof startApi>[0]['chain']) => ({
  config: parseConfig(apiSettings, { API_PORT: '0', ...RAISED_RATE_LIMITS, FOLLOW_WAIT_MS: '0' }),
  db: database.db,
  chain,
  logger,
  metrics: createMetrics(),
  version: '0.1.0',
});

beforeAll(async () => {
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: 20, transactionsPerSecond: 0 });
  await localnet.start();
  api = await startApi(optionsOf(createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' })));
  caller = createMarketCaller(api, localnet);
});
afterAll(async () => {
  await api?.close();
  await localnet?.stop();
});

describe('builders on a chain, with tables that know nothing', () => {
  it('builds what lands and does what was promised', async () => {
    const envelope = await caller.build('deposit', { bank: SOL_BANK, amount: 1.5 });
    expect(envelope.as_of.source).toBe('localnet');
    expect(envelope.simulation.warnings.map(({ code }) => code)).toContain('LOCAL_CHAIN');
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
