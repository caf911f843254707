import { createChain, createYellowstoneSource, type ProgramEvent, type TransactionRecord } from '@lending/chain';
import { createLocalnet, createModelEngine, openLocalnet } from '@lending/localnet';
import { MARGINFI_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_IS_BUILT, NEEDS_CLIENT } from './published-client.ts';

const WANTED = 60;

type ToldTransaction = Extract<ProgramEvent, { readonly kind: 'transaction' }>;

/** What a stream tells of a program on the demo market while its people act. */
async function stream(endpoint: string, program: Address): Promise<readonly ToldTransaction[]> {
  const source = await createYellowstoneSource({ endpoint });
  const told: ToldTransaction[] = [];
  const target = { program, accounts: [[]], transactions: true };
  for await (const event of source.watch(target, { signal: AbortSignal.timeout(180_000) })) {
    if (event.kind === 'transaction') told.push(event);
    if (told.length === WANTED) break;
  }
  return told;
}

describe.skipIf(!CLIENT_IS_BUILT)(`transactions as the gRPC stream tells them (${NEEDS_CLIENT})`, () => {
  let localnet: Awaited<ReturnType<typeof openLocalnet>>;

  beforeAll(async () => {
    localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: 200, transactionsPerSecond: 60 });
    await localnet.start();
  });
  afterAll(() => localnet.stop());

  it.each([MARGINFI_PROGRAM, TOKEN_PROGRAM])('are those that the node answers over RPC, of %s', async (program) => {
    const { grpcUrl, close } = await localnet.openGeyser();
    const streamed = await stream(grpcUrl, program);
    const chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
    const read = await chain.fetchTransactions(streamed.map(({ signature }) => signature));
    expect(streamed).toHaveLength(WANTED);
    expect(streamed.map(({ record }) => record)).toEqual(read);
    expect(streamed.every(({ isFailed, slot, record }) => record?.isFailed === isFailed && record.slot === slot)).toBe(
      true,
    );
    const records = streamed.flatMap(({ record }): readonly TransactionRecord[] => (record === null ? [] : [record]));
    // Or the comparison above has seen little.
    expect(records.some(({ instructions }) => instructions.some(({ depth }) => depth === 2))).toBe(true);
    expect(records.some(({ tokenBalances }) => tokenBalances.some(({ before, after }) => before !== after))).toBe(true);
    expect(records.every(({ unixTimestamp }) => unixTimestamp !== null)).toBe(true);
    await close();
  });

  it.each(['legacy', 0, 1] as const)('are the same in version %s, and where they fail', async (version) => {
    const [payer, receiver] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    const small = createLocalnet({
      engine: createModelEngine(),
      genesis: () => [
        [payer.address, { lamports: 10n ** 12n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }],
      ],
      slotMs: null,
      startSlot: 1_000n,
    });
    await small.start();
    const { ledger } = small;
    /** The system program's transfer: number 2, then lamports. */
    const transfer = async (lamports: bigint) => {
      const data = new Uint8Array(12);
      data[0] = 2;
      new DataView(data.buffer).setBigUint64(4, lamports, true);
      const accounts = [
        { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
        { address: receiver.address, role: AccountRole.WRITABLE },
      ];
      const message = pipe(
        createTransactionMessage({ version }),
        (m) => setTransactionMessageFeePayerSigner(payer, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(ledger.latestBlockhash('confirmed'), m),
        // Version 1 has no budget that goes without saying.
        (m) => setTransactionMessageComputeUnitLimit(10_000, m),
        (m) => setTransactionMessageLoadedAccountsDataSizeLimit(1_000_000, m),
        (m) => appendTransactionMessageInstruction({ programAddress: SYSTEM_PROGRAM, accounts, data }, m),
      );
      const signed = await signTransactionMessageWithSigners(message);
      return ledger.submit(new Uint8Array(getTransactionEncoder().encode(signed))).kind;
    };
    const { grpcUrl } = await small.openGeyser();
    const source = await createYellowstoneSource({ endpoint: grpcUrl });
    const records: (TransactionRecord | null)[] = [];
    const beat = setInterval(() => ledger.advanceSlot(), 5);
    const target = { program: SYSTEM_PROGRAM, accounts: [], transactions: true };
    for await (const event of source.watch(target, { signal: AbortSignal.timeout(180_000) })) {
      if (event.kind === 'gap')
        expect([await transfer(10n ** 9n), await transfer(10n ** 13n)]).toEqual(['executed', 'executed']);
      if (event.kind === 'transaction') records.push(event.record);
      if (records.length === 2) break;
    }
    clearInterval(beat);
    const chain = createChain({ rpcUrls: [small.rpcUrl], source: 'localnet' });
    expect(records).toEqual(await chain.fetchTransactions(records.map((record) => record?.signature ?? '')));
    expect(records).toMatchObject([
      { version, isFailed: false, signers: [payer.address], writable: [payer.address, receiver.address] },
      { version, isFailed: true },
    ]);
    await small.stop();
  });
});
