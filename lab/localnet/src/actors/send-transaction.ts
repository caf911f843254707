import {
  isInstructionOf,
  MARGINFI_MAIN_LOOKUP_TABLES,
  marginfiAccountEndRebalance,
  readAddress,
} from '@lending/programs';
import {
  type AddressesByLookupTableAddress,
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
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
/** Bytes of a lookup table before its addresses. */
const TABLE_META_BYTES = 56;

/**
 * Signs instructions and a bid as one version 0 transaction and submits it; it lands, or fails and is charged, as anybody's does. The
 * bid comes last, because flash loans count instructions from the first; with a rebalance, whose end must be last, it comes first. What is
 * too long goes without a bid, or else names its accounts by the group's lookup tables.
 */
export function sendTransaction(ledger: ActorLedger, actor: Actor, instructions: readonly Instruction[]): Outcome {
  const lifetime = ledger.latestBlockhash('confirmed');
  const compile = (all: readonly Instruction[], tables: AddressesByLookupTableAddress = {}) =>
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(actor.wallet, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(all, message),
      (message) => compressTransactionMessageUsingAddressLookupTables(message, tables),
      compileTransaction,
    );
  const bid = bidInstructions(`${actor.name}/${lifetime.blockhash}`);
  const all = endsRebalance(instructions) ? [...bid, ...instructions] : [...instructions, ...bid];
  const bidding = compile(all);
  const plain = isTransactionWithinSizeLimit(bidding) ? bidding : compile(instructions);
  const transaction = isTransactionWithinSizeLimit(plain) ? plain : compile(all, lookupTables(ledger));
  const signature = actor.sign(Uint8Array.from(transaction.messageBytes)) as SignatureBytes;
  return ledger.submit(Uint8Array.from(encoder.encode({ ...transaction, signatures: { [actor.wallet]: signature } })));
}

function endsRebalance(instructions: readonly Instruction[]): boolean {
  const data = instructions.at(-1)?.data;
  return data !== undefined && isInstructionOf(marginfiAccountEndRebalance, new Uint8Array(data));
}

function lookupTables(ledger: ActorLedger): AddressesByLookupTableAddress {
  const tables = MARGINFI_MAIN_LOOKUP_TABLES.map((table) => {
    const listed = ledger.account(table)?.data.subarray(TABLE_META_BYTES) ?? new Uint8Array();
    const addresses = Array.from({ length: listed.length / 32 }, (_, index) => readAddress(listed, index * 32));
    return [table, addresses] as const;
  });
  return Object.fromEntries(tables);
}
