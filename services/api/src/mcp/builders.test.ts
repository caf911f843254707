import { LendingError } from '@lending/errors';
import { TRANSACTION_TYPES } from '@lending/transactions';
import { afterAll, describe, expect, it } from 'vitest';
import { ENVELOPE_TRANSACTION_TYPES, envelopeSchema } from '#records/envelope-fields.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import type { BuildAction } from '../builds/build-service.ts';
import { accountRow, WALLET } from '../testing/account-rows.ts';
import { SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { buildOf, compiled } from '../testing/fake-builds.ts';
import { createAccountsApp } from '../testing/test-app.ts';
import { listenForAgents } from './testing/mcp-clients.ts';

const ONLY_REQUIRED: readonly (readonly [string, Record<string, unknown>])[] = [
  ['svc_create_account', { authority: WALLET }],
  ['svc_deposit', { authority: WALLET, bank: SOL_BANK, amount: 1.5 }],
  ['svc_withdraw', { authority: WALLET, bank: SOL_BANK, withdraw_all: true }],
  ['svc_borrow', { authority: WALLET, bank: SOL_BANK, amount: '1.5' }],
  ['svc_repay', { authority: WALLET, bank: SOL_BANK, amount: 1.5 }],
  ['svc_loop', { authority: WALLET, deposit_bank: SOL_BANK, borrow_bank: USDC_BANK, amount: 1.5, leverage: 2 }],
  ['svc_close_position', { authority: WALLET, repay_all: true }],
];
const BUILDERS = ONLY_REQUIRED.map(([name]) => name);

/** What a build does before it is done. */
let during: BuildAction | null = null;
let refusal: LendingError | null = null;
const app = await createAccountsApp({
  accounts: [accountRow()],
  builders: {
    buildAction: async (request, options) => {
      await during?.(request, options);
      if (refusal !== null) throw refusal;
      // As long as lists of transactions get: what is signed is never cut.
      return buildOf(request, {
        transactions: Array.from({ length: 5 }, () => compiled({ wire: new Uint8Array(4_000) })),
        unitsConsumed: [1, 2, 3, 4, 5],
        actionIndex: 4,
        submit: 'bundle',
      });
    },
  },
});
const client = await listenForAgents(app);
afterAll(async () => {
  await client.close();
  await app.close();
});

const call = async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

describe('the builders over MCP', () => {
  it.each(ONLY_REQUIRED)('%s answers the whole envelope, as structure and as the same text', async (name, args) => {
    const result = await call(name, args);
    expect(result.isError ?? false).toBe(false);
    const envelope = envelopeSchema.parse(result.structuredContent);
    expect(envelope.transactions.map(({ base64 }) => base64?.length)).toEqual(Array(5).fill(5_336));
    expect(JSON.parse((result.content as { text: string }[])[0]?.text ?? '')).toEqual(result.structuredContent);
  });

  it('leads with what the bytes would do, and says that they are unsigned', async () => {
    const tools = (await client.listTools()).tools.filter(({ name }) => BUILDERS.includes(name));
    expect(tools).toHaveLength(BUILDERS.length);
    for (const { description, annotations } of tools) {
      expect(description).toMatch(/^(Opens|Moves|Borrows|Pays|Repays) .*[Rr]eturns an unsigned transaction/);
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: true });
    }
  });

  it('tells the steps of a build to whoever asks', async () => {
    during = async (request, { tell }) => {
      tell('read');
      tell('simulate');
      return buildOf(request);
    };
    const told: unknown[] = [];
    const params = { name: 'svc_deposit', arguments: { authority: WALLET, bank: SOL_BANK, amount: 1.5 } };
    const result = await client.callTool(params, { onprogress: (progress) => told.push(progress) });
    during = null;
    expect(result.isError ?? false).toBe(false);
    expect(told).toEqual([
      { progress: 0, total: 4, message: 'Reading the accounts from the chain' },
      { progress: 2, total: 4, message: 'Simulating the transactions' },
    ]);
  });

  it('ends a build that is called off', async () => {
    const off = new AbortController();
    const ended = new Promise<void>((resolve) => {
      during = (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          signal.addEventListener('abort', () => resolve(), { once: true });
          off.abort('no longer wanted');
        });
    });
    const params = { name: 'svc_deposit', arguments: { authority: WALLET, bank: SOL_BANK, amount: 1.5 } };
    await expect(client.callTool(params, { signal: off.signal })).rejects.toThrow(/no longer wanted/);
    await ended;
    during = null;
  });

  it('gives a refusal with its numbers, in the body of every door', async () => {
    refusal = new LendingError('ACTION__BORROW_EXCEEDED', { context: { max_borrow: 3, limited_by: 'health' } });
    const result = await call('svc_borrow', { authority: WALLET, bank: SOL_BANK, amount: 5 });
    refusal = null;
    expect(result.isError).toBe(true);
    expect(wireErrorSchema.parse(result.structuredContent)).toMatchObject({
      code: 'BORROW_LIMIT_EXCEEDED',
      details: { max_borrow: 3, limited_by: 'health' },
    });
  });

  it('names the tool to call again where an argument is wrong', async () => {
    const result = await call('svc_repay', { authority: WALLET, bank: SOL_BANK });
    expect(wireErrorSchema.parse(result.structuredContent).error).toMatch(/call svc_repay again$/);
  });

  it('knows every type of transaction that is compiled', () => {
    expect(ENVELOPE_TRANSACTION_TYPES).toEqual(TRANSACTION_TYPES);
  });
});
