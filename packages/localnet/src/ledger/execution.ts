import { describeError } from '@lending/errors';
import type { Address } from '@solana/kit';
import type {
  AccountSource,
  AccountState,
  Engine,
  ExecutionResult,
  SlotContext,
  TransactionError,
} from '#engine/engine.ts';
import { AccountsOverlay } from './accounts-db.ts';
import { computeBudget } from './priority-fee.ts';
import { listTokenBalances, type TransactionRecord } from './transaction-record.ts';
import { decodeWireTransaction, type WireTransaction, writableStaticAccounts } from './wire-transaction.ts';

/** A transaction that may be put on the chain. */
export interface Landing {
  readonly facts: Omit<TransactionRecord, 'slot' | 'unixTimestamp' | 'index'>;
  readonly writes: ReadonlyMap<Address, AccountState | undefined>;
  readonly messageHash: string;
}

export type Outcome =
  /** It ran, successfully or not, and is charged for; or it is to stand in a block although it could not be charged (`recordsUnpaid`). */
  | {
      readonly kind: 'executed';
      readonly transaction: WireTransaction;
      readonly result: ExecutionResult;
      readonly landing: Landing;
      /** State before and after it. */
      readonly before: AccountSource;
      readonly after: AccountSource;
    }
  /** It never ran and leaves no trace. `result` is there when the engine looked at it. */
  | {
      readonly kind: 'refused';
      readonly transaction: WireTransaction;
      readonly error: TransactionError;
      readonly result: ExecutionResult | undefined;
    }
  /** The bytes are no transaction. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** An outcome of bytes that are a transaction. */
export type Judged = Exclude<Outcome, { readonly kind: 'malformed' }>;

/** Why it failed or never ran; null when it succeeded. */
export function errorOf(outcome: Judged): TransactionError | null {
  return outcome.kind === 'executed' ? outcome.result.error : outcome.error;
}

export interface ExecutionChecks {
  readonly verifySignatures: boolean;
  /** Whether one whose fee payer cannot pay is put into the block all the same, without effect (SIMD-0290). */
  readonly recordsUnpaid: boolean;
  /** Names the error for a transaction that is too old or was seen before; undefined lets it run. */
  readonly refuse: (transaction: WireTransaction) => TransactionError | undefined;
}

/** What the engine names a signature that is missing or wrong. */
export const SIGNATURE_FAILURE = 'SignatureFailure';

/** Runs one transaction on `accounts`, which stay as they are. */
export function executeTransaction(
  engine: Engine,
  wire: Uint8Array,
  accounts: AccountSource,
  context: SlotContext,
  checks: ExecutionChecks,
): Outcome {
  let transaction: WireTransaction;
  try {
    transaction = decodeWireTransaction(wire);
  } catch (error) {
    return { kind: 'malformed', reason: describeError(error) };
  }
  const refusal = checks.refuse(transaction);
  const run = () => engine.execute(wire, accounts, context, { verifySignatures: checks.verifySignatures });
  if (refusal !== undefined) {
    // Nodes look at signatures before anything else.
    const isForged = checks.verifySignatures && run().error === SIGNATURE_FAILURE;
    return { kind: 'refused', transaction, error: isForged ? SIGNATURE_FAILURE : refusal, result: undefined };
  }
  const result = checks.recordsUnpaid ? recordUnpaid(run(), transaction) : run();
  if (!result.isRecorded) return { kind: 'refused', transaction, error: result.error ?? 'SanitizeFailure', result };
  const after = new AccountsOverlay(accounts);
  after.apply(result.writes);
  return {
    kind: 'executed',
    transaction,
    result,
    before: accounts,
    after,
    landing: createLanding(wire, transaction, result, accounts, after),
  };
}

const UNPAID: readonly unknown[] = ['AccountNotFound', 'InsufficientFundsForFee', 'InvalidAccountForFee'];

/** What a block says of a transaction that is not charged: why, no fee, no logs, and all the compute units that it requested. */
function recordUnpaid(result: ExecutionResult, { message }: WireTransaction): ExecutionResult {
  if (result.isRecorded || !UNPAID.includes(result.error)) return result;
  return { ...result, isRecorded: true, fee: 0n, unitsConsumed: computeBudget(message).units };
}

function createLanding(
  wire: Uint8Array,
  { message, messageHash, signatures }: WireTransaction,
  { writes, ...result }: ExecutionResult,
  before: AccountSource,
  after: AccountSource,
): Landing {
  const [signature] = signatures;
  if (signature === undefined) throw new TypeError('A transaction that ran has a signature');
  const facts = {
    signature,
    wire: new Uint8Array(wire),
    result,
    unitPrice: computeBudget(message).price,
    writableAccounts: [...writableStaticAccounts(message), ...result.loadedAddresses.writable],
    preTokenBalances: listTokenBalances(result.accountKeys, before),
    postTokenBalances: listTokenBalances(result.accountKeys, after),
  };
  return { facts, writes, messageHash };
}

export interface BundleOutcome {
  /** One per transaction that was looked at; none after the first that failed. */
  readonly outcomes: readonly Outcome[];
  /** Position of the transaction that failed; null when all succeeded. */
  readonly failedAt: number | null;
}

/** Runs transactions in order, each on the state the ones before it left, and stops at the first that fails. */
export function executeBundle(
  engine: Engine,
  wires: readonly Uint8Array[],
  accounts: AccountSource,
  context: SlotContext,
  checks: ExecutionChecks,
): BundleOutcome {
  const outcomes: Outcome[] = [];
  const seen = new Set<string>();
  let state = accounts;
  for (const [index, wire] of wires.entries()) {
    const refuse = (transaction: WireTransaction) =>
      seen.has(transaction.messageHash) && checks.verifySignatures ? 'AlreadyProcessed' : checks.refuse(transaction);
    const outcome = executeTransaction(engine, wire, state, context, { ...checks, refuse });
    outcomes.push(outcome);
    if (outcome.kind !== 'executed' || outcome.result.error !== null) return { outcomes, failedAt: index };
    seen.add(outcome.transaction.messageHash);
    state = outcome.after;
  }
  return { outcomes, failedAt: null };
}
