import type { AccountSource, Engine, SlotContext } from '#engine/engine.ts';
import type { Chain, SlotOrCommitment } from './chain.ts';
import { computeEpoch, computeMinimumBalance, LAMPORTS_PER_SIGNATURE, type RentPrice } from './chain-parameters.ts';
import {
  type BundleOutcome,
  type ExecutionChecks,
  executeBundle,
  executeTransaction,
  type Outcome,
} from './execution.ts';
import type { WireTransaction } from './wire-transaction.ts';

export interface SimulateOptions {
  /** Whose state they run on. */
  readonly commitment: SlotOrCommitment;
  readonly verifySignatures: boolean;
  /** Runs the transactions as if they named a current blockhash. */
  readonly replaceBlockhash: boolean;
}

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

  /** As in the open slot, so that what executed may land there. */
  run(wire: Uint8Array, accounts: AccountSource): Outcome {
    return executeTransaction(this.#engine, wire, accounts, this.#context('processed'), this.#landingChecks());
  }

  /** As in the open slot, in order, until one fails. */
  runBundle(wires: readonly Uint8Array[], accounts: AccountSource): BundleOutcome {
    return executeBundle(this.#engine, wires, accounts, this.#context('processed'), this.#landingChecks());
  }

  simulateBundle(wires: readonly Uint8Array[], accounts: AccountSource, options: SimulateOptions): BundleOutcome {
    const { commitment, verifySignatures, replaceBlockhash } = options;
    return executeBundle(this.#engine, wires, accounts, this.#context(commitment), {
      verifySignatures,
      recordsUnpaid: false,
      refuse: (transaction) => (replaceBlockhash ? undefined : this.#refusal(transaction, commitment)),
    });
  }

  #landingChecks(): ExecutionChecks {
    return {
      verifySignatures: true,
      recordsUnpaid: this.#relaxesFeePayer,
      refuse: (transaction) => this.#refusal(transaction, 'processed'),
    };
  }

  #refusal({ message, messageHash }: WireTransaction, commitment: SlotOrCommitment): string | undefined {
    if (this.#chain.isProcessed(messageHash)) return 'AlreadyProcessed';
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
