import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  isTransactionWithinSizeLimit,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Outcome } from '#ledger/execution.ts';
import type { Actor } from './actor.ts';
import type { ActorLedger } from './actor-ledger.ts';
import { bidInstructions } from './bid.ts';

const encoder = getTransactionEncoder();

/**
 * Signs instructions and a bid as one version 0 transaction and submits it; it lands, or fails and is charged, as anybody's does. The
 * bid comes last: flash loans count instructions from the first.
 */
export function sendTransaction(ledger: ActorLedger, actor: Actor, instructions: readonly Instruction[]): Outcome {
  const lifetime = ledger.latestBlockhash('confirmed');
  const compile = (all: readonly Instruction[]) =>
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(actor.wallet, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(all, message),
      compileTransaction,
    );
  const bidding = compile([...instructions, ...bidInstructions(`${actor.name}/${lifetime.blockhash}`)]);
  const transaction = isTransactionWithinSizeLimit(bidding) ? bidding : compile(instructions);
  const signature = actor.sign(Uint8Array.from(transaction.messageBytes)) as SignatureBytes;
  return ledger.submit(Uint8Array.from(encoder.encode({ ...transaction, signatures: { [actor.wallet]: signature } })));
}
