import {
  type Address,
  address,
  createSolanaRpc,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase58Decoder,
  type Signature,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_BANKS } from '#market/demo-market.ts';
import { type OpenedLocalnet, openLocalnet } from '../open-localnet.ts';

const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const PYUSD = address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo');
const ACCOUNT_SIZE = 2312n;

/** What an indexer asks of a node, on a market where people act. */
describe('the local chain under an indexer', () => {
  let node: OpenedLocalnet;
  let rpc: ReturnType<typeof createSolanaRpc>;
  beforeAll(async () => {
    node = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, transactionsPerSecond: 20 });
    await node.start();
    rpc = createSolanaRpc(node.rpcUrl);
    advance(60);
  });
  afterAll(() => node.stop());

  function advance(slots: number): void {
    for (let index = 0; index < slots; index += 1) node.ledger.advanceSlot();
  }
  const pageOf = async (config: { before?: Signature; until?: Signature; limit?: number }) => {
    const page = await rpc.getSignaturesForAddress(PROGRAM, { commitment: 'confirmed', ...config }).send();
    return page.map(({ signature }) => signature);
  };

  it('pages the signatures of a program, newest first, without a seam or a double', async () => {
    const all = await pageOf({});
    expect(all.length).toBeGreaterThan(200);
    const paged: Signature[] = [];
    for (let before: Signature | undefined; ; before = paged.at(-1) as Signature) {
      const page = await pageOf(before === undefined ? { limit: 37 } : { before, limit: 37 });
      expect(page.length).toBeLessThanOrEqual(37);
      paged.push(...page);
      if (page.length < 37) break;
    }
    expect(paged).toEqual(all);
    const [newest, , third] = all as [Signature, Signature, Signature];
    expect(await pageOf({ until: third })).toEqual(all.slice(0, 2));
    expect(await pageOf({ before: newest, until: third })).toEqual(all.slice(1, 2));
    const unknown = getBase58Decoder().decode(new Uint8Array(64).fill(9)) as Signature;
    expect(await pageOf({ before: unknown })).toEqual([]);
    expect(await pageOf({ until: unknown })).toEqual(all);
  });

  it('lists signatures at either commitment, and refuses a slot it has not reached', async () => {
    const newest = (commitment: 'confirmed' | 'finalized') =>
      rpc.getSignaturesForAddress(PROGRAM, { commitment, limit: 1 }).send();
    const [confirmed, finalized] = await Promise.all([newest('confirmed'), newest('finalized')]);
    expect(confirmed[0]).toMatchObject({ slot: node.ledger.slot('confirmed'), confirmationStatus: 'confirmed' });
    expect(finalized[0]).toMatchObject({ slot: node.ledger.slot('finalized'), confirmationStatus: 'finalized' });
    expect(typeof confirmed[0]?.blockTime).toBe('bigint');
    const minContextSlot = node.ledger.slot('confirmed') + 1n;
    await expect(
      rpc.getSignaturesForAddress(PROGRAM, { commitment: 'confirmed', minContextSlot }).send(),
    ).rejects.toThrow(/minimum context slot/i);
  });

  it('lists blocks at either commitment, and never those of a dropped fork', async () => {
    const start = node.ledger.slot('finalized') - 2n;
    const blocks = (commitment: 'confirmed' | 'finalized', end?: bigint) =>
      rpc.getBlocks(start, end, { commitment }).send();
    expect(await blocks('finalized')).toEqual([start, start + 1n, start + 2n]);
    expect((await blocks('confirmed')).at(-1)).toBe(node.ledger.slot('confirmed'));
    expect(await blocks('confirmed', start + 1n)).toEqual([start, start + 1n]);
    await expect(rpc.getBlocks(start, undefined, { commitment: 'processed' as never }).send()).rejects.toThrow(
      /commitment/,
    );

    const { parent, slots, transactions } = node.ledger.dropFork({ slots: 20 });
    advance(3);
    const listed = await blocks('confirmed');
    expect(listed.filter((slot) => slots.includes(slot))).toEqual([]);
    expect(listed.slice(-4)).toEqual([parent, ...[1n, 2n, 3n].map((count) => (slots.at(-1) ?? 0n) + count)]);
    const signatures = new Set(await pageOf({}));
    expect(transactions.filter(({ signature }) => signatures.has(signature))).toEqual([]);
    const [gone] = transactions;
    const dropped = rpc.getTransaction(gone?.signature as Signature, {
      commitment: 'confirmed',
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    });
    expect(await dropped.send()).toBeNull();
  });

  it('tells a transaction with its time, loaded addresses and the depth of inner instructions', async () => {
    const [signature] = await pageOf({ limit: 1 });
    const found = await rpc
      .getTransaction(signature as Signature, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 1 as 0,
      })
      .send();
    expect(found).toMatchObject({ version: 0, blockTime: node.ledger.blockAt(found?.slot ?? 0n)?.unixTimestamp });
    expect(found?.meta?.loadedAddresses).toEqual({ readonly: [], writable: [] });
    const inner = found?.meta?.innerInstructions?.flatMap(({ instructions }) => instructions) ?? [];
    expect(inner.length).toBeGreaterThan(0);
    expect(new Set(inner.map(({ stackHeight }) => Number(stackHeight)))).toEqual(new Set([2]));
  });

  it('answers what recent transactions paid, and where an account is named, what its writers paid', async () => {
    // No transaction writes a program.
    const [bank, nothing] = [DEMO_BANKS[0]?.address as Address, PROGRAM];
    const [ofBank, ofNothing] = await Promise.all(
      [bank, nothing].map((account) => rpc.getRecentPrioritizationFees([account]).send()),
    );
    expect(ofBank?.filter(({ prioritizationFee }) => prioritizationFee > 0n).length).toBeGreaterThan(10);
    for (const [index, { slot, prioritizationFee }] of ofBank?.entries() ?? []) {
      expect(ofNothing?.[index]?.slot).toBe(slot);
      expect(prioritizationFee).toBeGreaterThanOrEqual(ofNothing?.[index]?.prioritizationFee as bigint);
    }
  });

  it('lists the keys of a program’s accounts without their bytes', async () => {
    const { value, context } = await rpc
      .getProgramAccounts(PROGRAM, {
        commitment: 'confirmed',
        encoding: 'base64',
        dataSlice: { offset: 0, length: 0 },
        filters: [{ dataSize: ACCOUNT_SIZE }],
        withContext: true,
      })
      .send();
    expect(context.slot).toBe(node.ledger.slot('confirmed'));
    expect(value.length).toBeGreaterThan(20);
    expect(new Set(value.map(({ account }) => `${account.data} ${account.space}`))).toEqual(
      new Set([`,base64 ${ACCOUNT_SIZE}`]),
    );
  });

  it('lists all token accounts of an owner, however many, each under its own program', async () => {
    const { address: owner } = await generateKeyPairSigner();
    const template = [...node.ledger.accountsOwnedBy(TOKEN_2022_PROGRAM, 'processed')].find(
      ([, { data }]) => data.length > 165 && data[165] === 2 && mintOf(data) === PYUSD,
    );
    const state = template?.[1];
    if (state === undefined) throw new Error('The demo market has no account of a Token-2022 mint');
    const addresses: Address[] = [];
    for (let index = 0; index < 20; index += 1) {
      const { address: holder } = await generateKeyPairSigner();
      const data = new Uint8Array(state.data);
      data.set(getAddressEncoder().encode(owner), 32);
      node.ledger.writeAccount(holder, { ...state, data });
      addresses.push(holder);
    }
    advance(1);
    const list = async (programId: Address) => {
      const { value } = await rpc
        .getTokenAccountsByOwner(owner, { programId }, { commitment: 'confirmed', encoding: 'base64' })
        .send();
      return value.map(({ pubkey }) => pubkey).toSorted();
    };
    expect(await list(TOKEN_2022_PROGRAM)).toEqual(addresses.toSorted());
    expect(await list(TOKEN_PROGRAM)).toEqual([]);
  });
});

function mintOf(data: Uint8Array): string {
  return getBase58Decoder().decode(data.subarray(0, 32));
}
