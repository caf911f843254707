import { createChain } from '@lending/chain';
import { DEMO_BANKS, type OpenedLocalnet, openLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import { RAISED_RATE_LIMITS, useDatabase } from '@lending/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Envelope, envelopeSchema, leverageEnvelopeSchema } from '#records/envelope-fields.ts';
import { apiSettings } from './config.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { createMarketCaller, type MarketCaller } from './testing/market-caller.ts';

const SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
const USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
const USDT_BANK = DEMO_BANKS.find(({ token }) => token === 'USDT')?.address ?? '';
const UNSAID = { deposit_bank: SOL_BANK, borrow_bank: USDC_BANK, amount: '1.5', leverage: 2 };
const LOOP = { ...UNSAID, create_new_account: true };
const KEYS = { 'x-jupiter-api-key': 'callers-key-one', 'x-aggregator2-api-key': 'callers-key-two' };

const database = useDatabase();
const lines: string[] = [];
let localnet: OpenedLocalnet;
let api: RunningApi;
let caller: MarketCaller;
const metrics = createMetrics();

beforeAll(async () => {
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: 20, transactionsPerSecond: 0 });
  await localnet.start();
  const { jupiter = '', dflow = '' } = localnet.aggregatorUrls ?? {};
  const logger = createLogger({
    level: 'trace',
    name: 'test',
    secrets: [],
    destination: { write: (line: string) => void lines.push(line) },
  });
  api = await startApi({
    config: parseConfig(apiSettings, {
      API_PORT: '0',
      ...RAISED_RATE_LIMITS,
      FOLLOW_WAIT_MS: '0',
      JUPITER_URL: jupiter,
      DFLOW_URL: dflow,
      SWAP_PROGRAMS: SWAP_PROGRAM,
    }),
    db: database.db,
    chain: createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' }),
    logger,
    metrics,
    version: '0.1.0',
  });
  caller = createMarketCaller(api, localnet);
});
afterAll(async () => {
  await api?.close();
  await localnet?.stop();
});

const rawIn = (envelope: Envelope) => envelope.swap?.in_raw;

describe('leverage at the doors, on a chain', () => {
  let account = '';

  it('goes in as promised, over REST', async () => {
    const envelope = await caller.build('loop', { ...LOOP, amount: 1.500000000001 }, KEYS);
    expect((await caller.build('loop', UNSAID)).account, 'a wallet without accounts').toBe(envelope.account);
    expect(envelope.summary).toContain(' 1.5 SOL');
    const rounded = envelope.simulation.warnings.find(({ code }) => code === 'AMOUNT_ROUNDED');
    expect(rounded?.message).toContain('amount 1.500000000001 was taken as 1.5: ');
    expect(leverageEnvelopeSchema.parse(envelope).simulation.position).toMatchObject({
      // Shown as the position will show it: shares round down.
      deposit_delta_raw: '2999999999',
      deposit_bank: SOL_BANK,
      borrow_bank: USDC_BANK,
    });
    expect(envelope.transactions.at(-1)?.type).toBe('LOOP');
    expect(Number(envelope.swap?.min_out_raw)).toBeGreaterThanOrEqual(1_500_000_000);
    const landed = await caller.verified(await caller.send(envelope), envelope);
    expect(landed).toMatchObject({ success: true, error: null, plan: { matches: true } });
    account = envelope.account;
  });

  it('comes out as promised, over MCP', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const url = new URL('/mcp', api.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: KEYS } }));
    await client.listTools();
    const args = { authority: caller.authority, account, repay_all: true };
    const result = await client.callTool({ name: 'svc_close_position', arguments: args });
    await client.close();
    expect(result.isError ?? false, JSON.stringify(result.structuredContent)).toBe(false);
    const envelope = envelopeSchema.parse(result.structuredContent);
    expect(envelope.simulation.post_health).toMatchObject({ health_factor: 1, health_ratio: null });
    const landed = await caller.verified(await caller.send(envelope), envelope);
    expect(landed).toMatchObject({ success: true, error: null, plan: { matches: true } });
  });

  it('asks again for the same swap where a key is used again after its bytes ran out', async () => {
    const body = { ...LOOP, idempotency_key: 'loop-1' };
    const first = await caller.build('loop', body);
    expect((await caller.build('loop', body)).transactions).toEqual(first.transactions);
    await caller.expired(first);
    const again = await caller.build('loop', body);
    expect(again).toMatchObject({ rebuilt: true, account: first.account });
    expect([again.swap?.aggregator, rawIn(again)]).toEqual([first.swap?.aggregator, rawIn(first)]);
    expect(again.simulation.position?.deposit_delta_raw).toBe(first.simulation.position?.deposit_delta_raw);
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

  it('refuses the same bank twice, and leverage above the maximum with what that is', async () => {
    const asked = { authority: caller.authority, ...LOOP };
    const twice = await caller.ask('/v1/tx/loop', { ...asked, borrow_bank: SOL_BANK });
    expect(twice).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT', details: { field: 'borrow_bank' } } });
    const above = await caller.ask('/v1/tx/loop', { ...asked, leverage: 1_000_000 });
    expect(above).toMatchObject({ status: 422, body: { code: 'LEVERAGE_EXCEEDED' } });
    const { max_leverage: max } = above.body.details as { readonly max_leverage: number };
    expect(max).toBeGreaterThan(2);
    expect((await caller.build('loop', { ...LOOP, leverage: max })).simulation.position?.max_leverage).toBe(max);
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

  it('wrote no key of a caller anywhere, though the aggregators were asked with them', async () => {
    const asked = (['jupiter', 'dflow'] as const).flatMap((name) => localnet.aggregatorRequests(name));
    expect(new Set(asked.map(({ aggregator, apiKey }) => `${aggregator} ${apiKey}`))).toEqual(
      new Set(['jupiter callers-key-one', 'dflow callers-key-two', 'jupiter null', 'dflow null']),
    );
    const written = [...lines, await metrics.render(), ...(await dumpTables())];
    expect(written.some((text) => text.includes(account))).toBe(true);
    for (const text of written) expect(text).not.toContain('callers-key');
  });
});

/** Every row of every table, as text. */
async function dumpTables(): Promise<readonly string[]> {
  const { db } = database;
  const tables = await db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db
        .selectFrom(name as 'plan')
        .selectAll()
        .execute(),
    ),
  );
  return rows
    .flat()
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
}
