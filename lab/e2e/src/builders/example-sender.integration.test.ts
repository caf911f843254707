import { connectBlockEngine, connectNode, type Envelope, sendEnvelope } from '@lending/examples';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { JITO_TIP_ACCOUNTS, SYSTEM_PROGRAM } from '@lending/programs';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { giveLamports } from './accounts.ts';

const SOL = 1_000_000_000n;
/** Of the System program's instructions. */
const TRANSFER = 2;

let localnet: OpenedLocalnet;
let wallet: KeyPairSigner;
let friend: Address;

/** The example's two ways of sending, against a node and a block engine over HTTP. */
describe('sendEnvelope on the local chain', () => {
  beforeAll(async () => {
    localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: 50 });
    await localnet.start();
  });

  afterAll(() => localnet.stop());

  beforeEach(async () => {
    wallet = await generateKeyPairSigner();
    friend = (await generateKeyPairSigner()).address;
    giveLamports(localnet.ledger, wallet.address, 10n * SOL);
    await slots(2);
  });

  it('lands a sequence, each in a later slot than the one before', async () => {
    const signatures = await send([transfer(friend, SOL), transfer(friend, 2n * SOL)], 'sequential');
    expect(localnet.ledger.account(friend)?.lamports).toBe(3n * SOL);
    const [first, second] = signatures.map((signature) => localnet.ledger.transaction(signature)?.slot ?? 0n);
    expect(second).toBeGreaterThan(first ?? 0n);
  });

  it('lands a bundle in one slot', async () => {
    const tip = JITO_TIP_ACCOUNTS[0] as Address;
    const signatures = await send([transfer(friend, SOL), transfer(tip, 10_000n)], 'bundle');
    const landed = new Set(signatures.map((signature) => localnet.ledger.transaction(signature)?.slot));
    expect(landed.size).toBe(1);
    expect(localnet.ledger.account(friend)?.lamports).toBe(SOL);
  });

  it('passes on that the block engine wants a tip', async () => {
    await expect(send([transfer(friend, SOL)], 'bundle')).rejects.toThrow('tip account');
  });

  it('leaves nothing of a bundle that cannot land, and says when it is over', async () => {
    const tip = JITO_TIP_ACCOUNTS[0] as Address;
    const sending = send([transfer(friend, SOL), transfer(tip, 100n * SOL)], 'bundle');
    await expect(sending).rejects.toMatchObject({ kind: 'expired' });
    expect(localnet.ledger.account(friend)).toBeUndefined();
  });

  it('says what a node says of a transaction that would fail', async () => {
    const sending = send([transfer(friend, 100n * SOL), transfer(friend, SOL)], 'sequential');
    await expect(sending).rejects.toMatchObject({ kind: 'failed' });
    expect(localnet.ledger.account(friend)).toBeUndefined();
  });
});

interface Transfer {
  readonly to: Address;
  readonly lamports: bigint;
}

function transfer(to: Address, lamports: bigint): Transfer {
  return { to, lamports };
}

function send(transfers: readonly Transfer[], submit: Envelope['submit']) {
  const blockhash = localnet.ledger.latestBlockhash('confirmed');
  const envelope: Envelope = {
    account: wallet.address,
    transactions: transfers.map((one) => ({ base64: unsigned(one, blockhash), type: 'SETUP', label: `To ${one.to}` })),
    action_tx_index: 0,
    submit,
    blockhash: { value: blockhash.blockhash, last_valid_block_height: Number(blockhash.lastValidBlockHeight) },
    summary: 'Sends SOL.',
    plan_id: '',
  };
  return sendEnvelope(envelope, wallet, {
    node: connectNode(localnet.rpcUrl),
    engine: connectBlockEngine(localnet.rpcUrl),
    print: () => undefined,
  });
}

function unsigned(
  { to, lamports }: Transfer,
  blockhash: ReturnType<OpenedLocalnet['ledger']['latestBlockhash']>,
): string {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(TRANSFER);
  data.writeBigUInt64LE(lamports, 4);
  const accounts = [
    { address: wallet.address, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: AccountRole.WRITABLE },
  ];
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(wallet.address, empty),
    (payed) => setTransactionMessageLifetimeUsingBlockhash(blockhash, payed),
    (dated) => appendTransactionMessageInstruction({ programAddress: SYSTEM_PROGRAM, accounts, data }, dated),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}

async function slots(count: number): Promise<void> {
  const until = localnet.ledger.slot('processed') + BigInt(count);
  await expect.poll(() => localnet.ledger.slot('processed')).toBeGreaterThanOrEqual(until);
}
