import { tokenAccountLayout } from '@lending/programs';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenAccountOf } from '#market/lending-instructions.ts';
import { SWAP_LOOKUP_TABLE, SWAP_TABLE_ADDRESSES } from '#market/swap-table.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import { fundWallet } from '#market/wallet-accounts.ts';
import { type OpenedLocalnet, openLocalnet } from '../open-localnet.ts';
import type { toWire } from './aggregator-call.ts';
import { AGGREGATOR_NAMES, type AggregatorName } from './find-route.ts';

type WireInstruction = ReturnType<typeof toWire>;

interface Answer {
  readonly outAmount: string;
  readonly routePlan: readonly unknown[];
  readonly setupInstructions: readonly WireInstruction[];
  readonly swapInstruction: WireInstruction;
}

interface Order {
  readonly inName: DemoTokenName;
  readonly outName: DemoTokenName;
  readonly inBase: bigint;
  readonly more?: Readonly<Record<string, string>>;
}

let node: OpenedLocalnet;
let taker: KeyPairSigner;
beforeAll(async () => {
  node = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
  await node.start();
  taker = await generateKeyPairSigner();
});
afterAll(() => node.stop());

async function fetchJson<T>(path: string, body?: object): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Asks as a client of either aggregator does. */
async function ask(name: AggregatorName, { inName, outName, inBase, more = {} }: Order): Promise<Answer> {
  const url = node.aggregatorUrls?.[name];
  const pair = { inputMint: DEMO_TOKENS[inName].mint, outputMint: DEMO_TOKENS[outName].mint, amount: `${inBase}` };
  if (name === 'jupiter') {
    const query = new URLSearchParams({ ...pair, ...more, taker: taker.address, wrapAndUnwrapSol: 'false' });
    return fetchJson(`${url}/swap/v2/build?${query}`);
  }
  const quote = await fetchJson<Answer>(`${url}/quote?${new URLSearchParams({ ...pair, ...more })}`);
  const body = { userPublicKey: taker.address, quoteResponse: quote, wrapAndUnwrapSol: false };
  return { ...quote, ...(await fetchJson<Answer>(`${url}/swap-instructions`, body)) };
}

function fromWire({ programId, accounts, data }: WireInstruction): Instruction {
  const roleOf = ({ isSigner, isWritable }: WireInstruction['accounts'][number]) =>
    isSigner ? AccountRole.WRITABLE_SIGNER : isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
  return {
    programAddress: programId,
    accounts: accounts.map((meta) => ({ address: meta.pubkey, role: roleOf(meta) })),
    data: new Uint8Array(Buffer.from(data, 'base64')),
  };
}

/** Signs and lets it run, with the swaps' lookup table. */
async function submit({ setupInstructions, swapInstruction }: Answer) {
  const tables = { [SWAP_LOOKUP_TABLE]: [...SWAP_TABLE_ADDRESSES] };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(taker, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(node.ledger.latestBlockhash('processed'), paid),
    (dated) => appendTransactionMessageInstructions([...setupInstructions, swapInstruction].map(fromWire), dated),
    (whole) => compressTransactionMessageUsingAddressLookupTables(whole, tables),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  return node.ledger.submit(new Uint8Array(getTransactionEncoder().encode(transaction)));
}

function held(token: DemoTokenName): bigint {
  const account = node.ledger.account(tokenAccountOf(taker.address, DEMO_TOKENS[token]));
  return account === undefined ? 0n : tokenAccountLayout.decode(account.data).amount;
}

// What their faults do is seen where they are met: packages/transactions/src/swaps/local-aggregators.integration.test.ts.
describe.each(AGGREGATOR_NAMES)('the double of %s', (name) => {
  it('gives what it quoted for whatever is traded, to the unit', async () => {
    const names = Object.keys(DEMO_TOKENS) as DemoTokenName[];
    const order = fc.record({
      inName: fc.constantFrom(...names),
      outName: fc.constantFrom(...names),
      inBase: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      more: fc.constantFrom(
        {},
        { forJitoBundle: 'true' },
        { maxAccounts: '30', maxRouteLength: '2', slippageBps: '0' },
      ),
    });
    let traded = 0;
    await fc.assert(
      fc.asyncProperty(order, async ({ inName, outName, inBase, more }) => {
        await fundWallet(node.ledger, taker.address, { lamports: 10n ** 12n, tokens: { [inName]: inBase } });
        const answer = await ask(name, { inName, outName, inBase, more }).catch((error: Error) => error.message);
        // A token for itself, more than the pool holds, or less of one than a unit of the other: no route is the right answer.
        if (typeof answer === 'string') {
          expect(answer).toMatch(/400 .*[Rr]oute/);
          return;
        }
        traded += 1;
        const before = held(outName);
        expect(await submit(answer)).toMatchObject({ kind: 'executed', result: { error: null } });
        expect([held(inName), held(outName) - before]).toEqual([0n, BigInt(answer.outAmount)]);
      }),
      { numRuns: 60 },
    );
    expect(traded).toBeGreaterThan(30);
  });

  it('gives less along a shorter route, down to none', async () => {
    const order = { inName: 'USDC', outName: 'JitoSOL', inBase: 1_000_000_000n } as const;
    const shorter =
      name === 'jupiter'
        ? [{ maxAccounts: '64' }, { maxAccounts: '30' }, { maxAccounts: '20' }]
        : [{}, { forJitoBundle: 'true' }, { onlyDirectRoutes: 'true' }];
    const answers = await Promise.all(shorter.map((more) => ask(name, { ...order, more })));
    expect(answers.map(({ routePlan }) => routePlan.length)).toEqual([3, 2, 1]);
    expect(answers.map(({ swapInstruction }) => swapInstruction.accounts.length)).toEqual([38, 28, 14]);
    const [most, some, least] = answers.map(({ outAmount }) => BigInt(outAmount)) as [bigint, bigint, bigint];
    expect(most > some && some > least).toBe(true);
    if (name === 'jupiter')
      await expect(ask(name, { ...order, more: { maxAccounts: '7' } })).rejects.toThrow('No routes');
  });
});

it('takes a quote back only as it gave it', async () => {
  const url = node.aggregatorUrls?.dflow;
  const query = new URLSearchParams({
    inputMint: DEMO_TOKENS.USDC.mint,
    outputMint: DEMO_TOKENS.SOL.mint,
    amount: '1000000',
  });
  const quote = await fetchJson<object>(`${url}/quote?${query}`);
  const give = (quoteResponse: unknown) =>
    fetchJson(`${url}/swap-instructions`, {
      userPublicKey: taker.address as Address,
      quoteResponse,
      wrapAndUnwrapSol: false,
    });
  await expect(give(quote)).resolves.toHaveProperty('swapInstruction');
  await expect(give({ ...quote, outAmount: '1' })).rejects.toThrow('500');
  await expect(give({ ...quote, requestId: 'another' })).rejects.toThrow('500');
});
