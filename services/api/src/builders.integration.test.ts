import { createHash } from 'node:crypto';
import { createChain } from '@lending/chain';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import { useDatabase } from '@lending/testing';
import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Envelope, envelopeSchema } from '#records/envelope-fields.ts';
import { landingReplySchema, simulationReplySchema } from '#records/landing-fields.ts';
import { apiSettings } from './config.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { createAbsentNode } from './testing/absent-node.ts';
import { bankWrite, write } from './testing/tables.ts';

const SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
const logger = createLogger({ level: 'silent', name: 'test' });
const database = useDatabase();
let localnet: OpenedLocalnet;
let api: RunningApi;

const optionsOf = (chain: Parameters<typeof startApi>[0]['chain']) => ({
  config: parseConfig(apiSettings, { API_PORT: '0', FOLLOW_WAIT_MS: '0' }),
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
});
afterAll(async () => {
  await api?.close();
  await localnet?.stop();
});

async function ask(path: string, body?: object) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${api.url}${path}`, body === undefined ? {} : init);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

async function build(kind: string, body: object): Promise<Envelope> {
  const { status, body: reply } = await ask(`/v1/tx/${kind}`, { authority: localnet.wallets[0]?.address, ...body });
  expect(status, JSON.stringify(reply)).toBe(200);
  return envelopeSchema.parse(reply);
}

/** The demo wallets' keys are published. */
function seedOf(name: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`lending demo wallet: ${name}`).digest());
}

/** Signs and sends what an envelope's only transaction is. */
async function send({ transactions: [only] }: Envelope): Promise<string> {
  const wallet = localnet.wallets[0];
  if (wallet === undefined || !only?.base64) throw new Error('there is nothing to sign, or nobody');
  const signer = await createKeyPairSignerFromPrivateKeyBytes(seedOf(wallet.name));
  const unsigned = getTransactionDecoder().decode(new Uint8Array(Buffer.from(only.base64, 'base64')));
  const signed = await partiallySignTransaction([signer.keyPair], unsigned);
  const rpc = createSolanaRpc(localnet.rpcUrl);
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
  return getSignatureFromTransaction(signed);
}

async function verified(signature: string, { plan_id: planId }: Envelope) {
  return vi.waitFor(
    async () => {
      const { body } = await ask(`/v1/verify/${signature}?plan_id=${planId}`);
      const reply = landingReplySchema.parse(body);
      expect(reply.landed).toBe(true);
      return reply;
    },
    { timeout: 20_000, interval: 50 },
  );
}

describe('builders on a chain, with tables that know nothing', () => {
  it('builds what lands and does what was promised', async () => {
    const envelope = await build('deposit', { bank: SOL_BANK, amount: 1.5 });
    expect(envelope.as_of.source).toBe('localnet');
    expect(envelope.simulation.warnings.map(({ code }) => code)).toContain('LOCAL_CHAIN');
    const simulation = await ask('/v1/tx/simulate', { plan_id: envelope.plan_id });
    const now = simulationReplySchema.parse(simulation.body);
    expect(now).toMatchObject({ would_land: true, error: null, simulation: { pre_health: { assets_usd_maint: 0 } } });
    // Prices move from slot to slot, what the wallet pays does not.
    const raw = (changes: typeof envelope.simulation.token_changes) => changes.map(({ delta_raw: delta }) => delta);
    expect(raw(now.simulation.token_changes ?? [])).toEqual(raw(envelope.simulation.token_changes));
    expect(now.simulation.post_health?.assets_usd_maint).toBeGreaterThan(0);
    expect(await verified(await send(envelope), envelope)).toMatchObject({
      success: true,
      error: null,
      activity: [{ kind: 'create_account' }, { kind: 'deposit', bank: SOL_BANK, amount_raw: '1500000000' }],
      plan: { transaction_index: 0, matches: true, differences: [] },
    });
  });

  it('keeps a plan by its key, and warns once it may have landed', async () => {
    const body = { bank: SOL_BANK, amount: '0.25', idempotency_key: 'quarter' };
    const [first, same] = await Promise.all([build('deposit', body), build('deposit', body)]);
    expect(same.transactions).toEqual(first.transactions);
    const conflict = await ask('/v1/tx/deposit', { authority: localnet.wallets[0]?.address, ...body, amount: 1 });
    expect([conflict.status, conflict.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    await verified(await send(first), first);
    const rpc = createSolanaRpc(localnet.rpcUrl);
    await vi.waitFor(
      async () => {
        const height = await rpc.getBlockHeight({ commitment: 'confirmed' }).send();
        expect(Number(height)).toBeGreaterThan(first.blockhash.last_valid_block_height);
      },
      { timeout: 30_000, interval: 100 },
    );
    const again = await build('deposit', body);
    expect(again).toMatchObject({ rebuilt: true, account: first.account });
    expect(again.transactions).not.toEqual(first.transactions);
    expect(again.simulation.warnings.map(({ code }) => code)).toContain('PLAN_MAY_HAVE_LANDED');
  }, 60_000);

  it('refuses decimals that the mint does not have, by the name of the field', async () => {
    const body = { authority: localnet.wallets[0]?.address, bank: SOL_BANK, amount: '0.0000000001' };
    expect(await ask('/v1/tx/deposit', body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT', details: { field: 'amount' } },
    });
  });

  it('refuses a bank that is none', async () => {
    const body = { authority: localnet.wallets[0]?.address, bank: localnet.wallets[0]?.address, amount: 1 };
    expect(await ask('/v1/tx/borrow', body)).toMatchObject({ status: 404, body: { code: 'BANK_NOT_FOUND' } });
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
        body: JSON.stringify({ authority: localnet.wallets[0]?.address, bank: SOL_BANK, amount: 1 }),
      });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await response.json()).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', details: {}, retryable: true });
    } finally {
      await apart.close();
    }
  });
});
