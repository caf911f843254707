import { describeError } from '@lending/errors';
import type { Address } from '@solana/kit';
import { readComputeBudget } from '#engine/compute-budget.ts';
import type {
  AccountSource,
  AccountState,
  Engine,
  ExecutionResult,
  SlotContext,
  TransactionError,
} from '#engine/engine.ts';
import { decodeWireTransaction, type WireTransaction, writableStaticAccounts } from '#engine/wire-transaction.ts';
import { AccountsOverlay } from './accounts-db.ts';
import type { Chain, SlotOrCommitment } from './chain.ts';
import { computeEpoch, computeMinimumBalance, LAMPORTS_PER_SIGNATURE, type RentPrice } from './chain-parameters.ts';
import { listTokenBalances, type TransactionRecord } from './transaction-record.ts';

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

export interface SimulateOptions {
  /** Whose state they run on. */
  readonly commitment: SlotOrCommitment;
  readonly verifySignatures: boolean;
  /** Runs the transactions as if they named a current blockhash. */
  readonly replaceBlockhash: boolean;
}

export interface BundleOutcome {
  /** One per transaction that was looked at; none after the first that failed. */
  readonly outcomes: readonly Outcome[];
  /** Position of the transaction that failed; null when all succeeded. */
  readonly failedAt: number | null;
}

/** What the engine names a signature that is missing or wrong. */
export const SIGNATURE_FAILURE = 'SignatureFailure';

/** Whether they are executed to land, or how they are simulated. */
type Purpose = SimulateOptions | 'landing';

/** Runs transactions as of a slot of the chain, with that slot's checks. Changes neither the chain nor the accounts. */
export class TransactionRunner {
  readonly #engine: Engine;
  readonly #chain: Chain;
  readonly #rent: RentPrice;
  readonly #relaxesFeePayer: boolean;

  constructor(engine: Engine, chain: Chain, rent: RentPrice, relaxesFeePayer: boolean) {
    this.#engine = engine;
    this.#chain = chain;
    this.#rent = rent;
    this.#relaxesFeePayer = relaxesFeePayer;
  }

  /** Runs one transaction on `accounts`, which stay as they are; as in the open slot, where what executed may land. */
  run(wire: Uint8Array, accounts: AccountSource, purpose: Purpose = 'landing', seen = NONE_SEEN): Outcome {
    let transaction: WireTransaction;
    try {
      transaction = decodeWireTransaction(wire);
    } catch (error) {
      return { kind: 'malformed', reason: describeError(error) };
    }
    const verifySignatures = purpose === 'landing' || purpose.verifySignatures;
    const commitment = purpose === 'landing' ? 'processed' : purpose.commitment;
    const execute = () => this.#engine.execute(wire, accounts, this.#context(commitment), { verifySignatures });
    const isRepeated = verifySignatures && seen.has(transaction.messageHash);
    const refusal = isRepeated ? 'AlreadyProcessed' : this.#refusal(transaction, purpose);
    if (refusal !== undefined) {
      // Nodes look at signatures before anything else.
      const isForged = verifySignatures && execute().error === SIGNATURE_FAILURE;
      return { kind: 'refused', transaction, error: isForged ? SIGNATURE_FAILURE : refusal, result: undefined };
    }
    const recordsUnpaid = purpose === 'landing' && this.#relaxesFeePayer;
    const result = recordsUnpaid ? recordUnpaid(execute(), transaction) : execute();
    if (!result.isRecorded) return { kind: 'refused', transaction, error: result.error ?? 'SanitizeFailure', result };
    const after = new AccountsOverlay(accounts);
    after.apply(result.writes);
    const landing = createLanding(wire, transaction, result, accounts, after);
    return { kind: 'executed', transaction, result, before: accounts, after, landing };
  }

  /** Runs transactions in order, each on the state the ones before it left, and stops at the first that fails. */
  runBundle(wires: readonly Uint8Array[], accounts: AccountSource, purpose: Purpose = 'landing'): BundleOutcome {
    const outcomes: Outcome[] = [];
    const seen = new Set<string>();
    let state = accounts;
    for (const [index, wire] of wires.entries()) {
      const outcome = this.run(wire, state, purpose, seen);
      outcomes.push(outcome);
      if (outcome.kind !== 'executed' || outcome.result.error !== null) return { outcomes, failedAt: index };
      seen.add(outcome.transaction.messageHash);
      state = outcome.after;
    }
    return { outcomes, failedAt: null };
  }

  /** Names the error for a transaction that is too old or was seen before. */
  #refusal({ message, messageHash }: WireTransaction, purpose: Purpose): string | undefined {
    if (purpose !== 'landing' && purpose.replaceBlockhash) return undefined;
    if (this.#chain.isProcessed(messageHash)) return 'AlreadyProcessed';
    const commitment = purpose === 'landing' ? 'processed' : purpose.commitment;
    return this.#chain.isBlockhashValid(message.recentBlockhash, commitment) ? undefined : 'BlockhashNotFound';
  }

  #context(commitment: SlotOrCommitment): SlotContext {
    const slot = this.#chain.slot(commitment);
    return {
      slot,
      unixTimestamp: this.#chain.unixTimestamp(slot),
      epoch: computeEpoch(slot),
      lamportsPerSignature: LAMPORTS_PER_SIGNATURE,
      minimumBalance: (dataLength) => computeMinimumBalance(this.#rent, dataLength),
    };
  }
}

const NONE_SEEN: ReadonlySet<string> = new Set();
const UNPAID: readonly unknown[] = ['AccountNotFound', 'InsufficientFundsForFee', 'InvalidAccountForFee'];

/** What a block says of a transaction that is not charged: why, no fee, no logs, and all the compute units that it requested. */
function recordUnpaid(result: ExecutionResult, { message }: WireTransaction): ExecutionResult {
  if (result.isRecorded || !UNPAID.includes(result.error)) return result;
  return { ...result, isRecorded: true, fee: 0n, unitsConsumed: BigInt(readComputeBudget(message).unitLimit) };
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
    unitPrice: readComputeBudget(message).unitPrice,
    writableAccounts: [...writableStaticAccounts(message), ...result.loadedAddresses.writable],
    preTokenBalances: listTokenBalances(result.accountKeys, before),
    postTokenBalances: listTokenBalances(result.accountKeys, after),
  };
  return { facts, writes, messageHash };
}
