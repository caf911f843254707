import {
  generateKeyPairSigner,
  getBase64Encoder,
  getTransactionDecoder,
  type KeyPairSigner,
  verifySignature,
} from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { signEnvelope } from './sign-envelope.ts';
import { madeEnvelope, madeTransaction } from './testing/made-envelope.ts';

let wallet: KeyPairSigner;
let other: KeyPairSigner;

describe('signEnvelope', () => {
  beforeAll(async () => {
    [wallet, other] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  });

  it.each([0, 1] as const)('signs transactions of version %i and changes nothing else', async (version) => {
    const unsigned = [madeTransaction({ feePayer: wallet.address, version })];
    const [signed] = await signEnvelope(madeEnvelope(unsigned), wallet);
    const before = decode(unsigned[0] as string);
    const after = decode(signed?.base64 ?? '');
    expect(after.messageBytes).toEqual(before.messageBytes);
    const signature = after.signatures[wallet.address];
    if (signature == null) throw new TypeError('It is signed');
    expect(await verifySignature(wallet.keyPair.publicKey, signature, after.messageBytes)).toBe(true);
  });

  it('refuses a transaction that somebody else pays for', async () => {
    const envelope = madeEnvelope([madeTransaction({ feePayer: other.address })]);
    await expect(signEnvelope(envelope, wallet)).rejects.toThrow(`${other.address} would pay for it`);
  });

  it('refuses a transaction that wants another signature besides', async () => {
    const envelope = madeEnvelope([madeTransaction({ feePayer: wallet.address, cosigner: other.address })]);
    await expect(signEnvelope(envelope, wallet)).rejects.toThrow('it wants 2 signatures');
  });

  it('refuses a blockhash other than the one the envelope names', async () => {
    const blockhash = '9'.repeat(43);
    const envelope = madeEnvelope([madeTransaction({ feePayer: wallet.address, blockhash })]);
    await expect(signEnvelope(envelope, wallet)).rejects.toThrow(`its blockhash is ${blockhash}`);
  });

  it('refuses what is signed already, what is no transaction, and previews', async () => {
    const base64 = madeTransaction({ feePayer: wallet.address });
    const [signed] = await signEnvelope(madeEnvelope([base64]), wallet);
    await expect(signEnvelope(madeEnvelope([signed?.base64 ?? '']), wallet)).rejects.toThrow('signed already');
    await expect(signEnvelope(madeEnvelope(['AQID']), wallet)).rejects.toThrow('no transaction');
    await expect(signEnvelope(madeEnvelope([null]), wallet)).rejects.toThrow('preview');
  });

  it('names the transaction it refuses and signs none of the envelope', async () => {
    const envelope = madeEnvelope([
      madeTransaction({ feePayer: wallet.address }),
      madeTransaction({ feePayer: other.address }),
    ]);
    await expect(signEnvelope(envelope, wallet)).rejects.toThrow('Transaction 2 ("Step 2")');
  });

  it('refuses more transactions than a bundle holds', async () => {
    const six = Array.from({ length: 6 }, (_, index) => madeTransaction({ feePayer: wallet.address }, `${index}`));
    await expect(signEnvelope(madeEnvelope(six), wallet)).rejects.toThrow('6 transactions');
  });
});

function decode(base64: string) {
  return getTransactionDecoder().decode(getBase64Encoder().encode(base64));
}
