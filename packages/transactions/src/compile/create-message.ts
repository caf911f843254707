import { SECP256K1_PROGRAM } from '@lending/programs';
import {
  appendTransactionMessageInstructions,
  type Blockhash as BlockhashValue,
  createTransactionMessage,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Blockhash } from './compiled-transaction.ts';
import { linkFlashLoan } from './link-flash-loan.ts';
import type { MessageOptions, TransactionDraft } from './transaction-draft.ts';
import { useLookupTables } from './use-lookup-tables.ts';

export interface BudgetOptions {
  readonly computeUnitLimit: number;
  readonly blockhash: Blockhash;
}

/** Bytes of accounts a version 1 transaction may load. It has no default: this is what earlier versions get unasked. */
const LOADED_ACCOUNTS_BYTES = 64 * 1024 * 1024;
const MICRO_LAMPORTS = 1_000_000n;

/** Lamports for the whole limit, rounded up as the chain does. */
export function priorityFeeOf(microLamportsPerUnit: bigint, computeUnitLimit: number): bigint {
  return (microLamportsPerUnit * BigInt(computeUnitLimit) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

/** The draft as a message: compute budget first, then its instructions; with version 1 the budget stands in the header. */
export function createMessage(draft: TransactionDraft, options: MessageOptions & BudgetOptions) {
  return options.version === 1
    ? linkFlashLoan(createMessageV1(draft, options))
    : linkFlashLoan(createMessageV0(draft, options));
}

function createMessageV0({ instructions, lookupTables }: TransactionDraft, options: MessageOptions & BudgetOptions) {
  const { payer, computeUnitLimit, microLamportsPerUnit } = options;
  const compressed = useLookupTables(instructions, payer, { ...options.lookupTables, ...lookupTables });
  // Its data names the position of its own instruction, which is 0 in every version when the compute budget comes after it.
  const isSignatureCheck = instructions[0]?.programAddress === SECP256K1_PROGRAM;
  const [before, after] = isSignatureCheck ? [compressed, []] : [[], compressed];
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetimeOf(options.blockhash), message),
    (message) => appendTransactionMessageInstructions(before, message),
    (message) => setTransactionMessageComputeUnitLimit(computeUnitLimit, message),
    (message) =>
      microLamportsPerUnit === 0n ? message : setTransactionMessageComputeUnitPrice(microLamportsPerUnit, message),
    (message) => appendTransactionMessageInstructions(after, message),
  );
}

function createMessageV1({ instructions }: TransactionDraft, options: MessageOptions & BudgetOptions) {
  const { payer, computeUnitLimit, microLamportsPerUnit } = options;
  const config = {
    computeUnitLimit,
    loadedAccountsDataSizeLimit: LOADED_ACCOUNTS_BYTES,
    priorityFeeLamports: priorityFeeOf(microLamportsPerUnit, computeUnitLimit),
  };
  return pipe(
    createTransactionMessage({ version: 1 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetimeOf(options.blockhash), message),
    (message) => setTransactionMessageConfig(config, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  );
}

function lifetimeOf({ value, lastValidBlockHeight }: Blockhash) {
  return { blockhash: value as BlockhashValue, lastValidBlockHeight };
}
