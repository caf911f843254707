import { type parseEnvelope, signEnvelope } from '@lending/examples';
import type { Ledger } from '@lending/localnet';
import { readLookupTable } from '@lending/programs';
import {
  type Address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64Encoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';

/** Signs what an api built, and lands it in the open slot. @returns why it did not land, null where it did. */
export async function landEnvelope(
  ledger: Ledger,
  envelope: ReturnType<typeof parseEnvelope>,
  wallet: KeyPairSigner,
): Promise<unknown> {
  for (const { base64 } of await signEnvelope(envelope, wallet)) {
    const failure = submit(ledger, getBase64Encoder().encode(base64));
    if (failure !== null) return failure;
  }
  return null;
}

/** The same of instructions, as one transaction. */
export async function landInstructions(
  ledger: Ledger,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  lookupTables: readonly Address[] = [],
): Promise<unknown> {
  const slot = ledger.slot('processed');
  const tables = lookupTables.map((table) => {
    const { data = new Uint8Array() } = ledger.account(table) ?? {};
    return [table, [...readLookupTable(data, slot)]];
  });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(ledger.latestBlockhash('processed'), paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
    (whole) => compressTransactionMessageUsingAddressLookupTables(whole, Object.fromEntries(tables)),
  );
  return submit(ledger, getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)));
}

function submit(ledger: Ledger, wire: Iterable<number>): unknown {
  const outcome = ledger.submit(Uint8Array.from(wire));
  return outcome.kind === 'executed' ? outcome.result.error : outcome;
}
