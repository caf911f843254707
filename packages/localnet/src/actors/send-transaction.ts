import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Outcome } from '#ledger/execution.ts';
import type { Actor } from './actor.ts';
import type { ActorLedger } from './actor-ledger.ts';

const encoder = getTransactionEncoder();

/** Signs instructions as one version 0 transaction and submits it; it lands, or fails and is charged, as anybody's does. */
export function sendTransaction(ledger: ActorLedger, actor: Actor, instructions: readonly Instruction[]): Outcome {
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(actor.wallet, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(ledger.latestBlockhash('confirmed'), message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    compileTransaction,
  );
  const signature = actor.sign(Uint8Array.from(transaction.messageBytes)) as SignatureBytes;
  return ledger.submit(Uint8Array.from(encoder.encode({ ...transaction, signatures: { [actor.wallet]: signature } })));
}
