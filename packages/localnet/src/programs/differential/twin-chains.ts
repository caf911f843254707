import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getAddressEncoder,
  getBase58Decoder,
  getTransactionEncoder,
  type Instruction,
  isSolanaError,
  lamports,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm';
import type { AccountState, ExecutionResult, SlotContext } from '#engine/engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { toRpcError } from './litesvm-error.ts';

/** What one transaction did, in the terms both machines share. */
interface Outcome {
  readonly error: unknown;
  readonly returnData: { readonly programId: string; readonly data: string } | null;
  readonly inner: unknown;
}

export interface Comparison {
  readonly model: Outcome;
  readonly litesvm: Outcome;
  readonly result: ExecutionResult;
}

export interface Snapshot {
  readonly accounts: ReadonlyMap<Address, AccountState>;
  readonly context: SlotContext;
}

export type Version = 'legacy' | 0 | 1;

/** A version 1 transaction is given nothing that it does not ask for. */
const V1_LIMITS = { computeUnitLimit: 1_400_000, loadedAccountsDataSizeLimit: 64 * 1024 * 1024 };

/** The model engine and LiteSVM, kept in the same state. LiteSVM's memory is native: make one and `reset` it. */
export class TwinChains {
  readonly #engine = createModelEngine();
  readonly #svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
  readonly #ledger = new Map<Address, AccountState>();
  readonly #watched = new Set<Address>();
  readonly #minimumBalances = new Map<number, bigint>();
  #lookupTable: Readonly<Record<Address, Address[]>> = {};
  #context: SlotContext;

  constructor(shared: readonly Address[]) {
    this.#context = this.#contextAt(600n);
    for (const address of shared) this.#copyFromLiteSvm(address);
  }

  get context(): SlotContext {
    return this.#context;
  }

  account(address: Address): AccountState | undefined {
    return this.#ledger.get(address);
  }

  setEpoch(epoch: bigint): void {
    this.#context = this.#contextAt(epoch);
    const { slot, unixTimestamp } = this.#context;
    this.#svm.setClock(new Clock(slot, unixTimestamp, epoch, epoch + 1n, unixTimestamp));
  }

  setAccount(address: Address, state: AccountState | undefined): void {
    this.#watched.add(address);
    if (state === undefined) this.#ledger.delete(address);
    else this.#ledger.set(address, state);
    this.#svm.setAccount({
      address,
      lamports: lamports(state?.lamports ?? 0n),
      data: state?.data ?? new Uint8Array(),
      programAddress: state?.owner ?? SYSTEM_PROGRAM,
      executable: state?.executable ?? false,
      space: BigInt(state?.data.length ?? 0),
    });
  }

  /** A table that version 0 transactions look their plain accounts up in. */
  setLookupTable(table: Address, addresses: readonly Address[]): void {
    const data = new Uint8Array(56 + 32 * addresses.length);
    data[0] = 1;
    data.fill(0xff, 4, 12);
    for (const [index, address] of addresses.entries()) data.set(getAddressEncoder().encode(address), 56 + 32 * index);
    const balance = this.#minimumBalance(data.length);
    this.setAccount(table, { lamports: balance, owner: LOOKUP_TABLE_PROGRAM, data, executable: false });
    this.#lookupTable = { [table]: [...addresses] };
  }

  snapshot(): Snapshot {
    return { accounts: new Map(this.#ledger), context: this.#context };
  }

  /** Puts both chains back, whether or not they agreed since. */
  reset({ accounts, context }: Snapshot): void {
    for (const address of this.#watched) {
      const state = accounts.get(address);
      // A program that nothing touched need not be loaded again.
      if (state?.executable && this.#ledger.get(address) === state) continue;
      this.setAccount(address, state);
    }
    this.setEpoch(context.epoch);
  }

  /** Runs the same transaction on both and applies it; the caller compares. `null`: no client would build it. */
  run(payer: Address, instructions: readonly Instruction[], version: Version): Comparison | null {
    const transaction = this.#compile(payer, instructions, version);
    if (transaction === null) return null;
    const result = this.#engine.execute(
      new Uint8Array(getTransactionEncoder().encode(transaction)),
      { get: (address) => this.#ledger.get(address) },
      this.#context,
      { verifySignatures: false },
    );
    for (const key of result.accountKeys) this.#watched.add(key);
    for (const [address, state] of result.writes) {
      if (state === undefined) this.#ledger.delete(address);
      else this.#ledger.set(address, state);
    }
    return {
      model: modelOutcome(result),
      litesvm: litesvmOutcome(this.#svm.sendTransaction(transaction)),
      result,
    };
  }

  /** Those of the accounts that differ; by default every account either chain may ever have touched. */
  differences(addresses: Iterable<Address> = this.#watched): string[] {
    return [...addresses].flatMap((address) => {
      const model = describe(this.#ledger.get(address));
      const litesvm = describe(this.#readLiteSvm(address));
      return model === litesvm ? [] : [`${address}\n  model   ${model}\n  litesvm ${litesvm}`];
    });
  }

  /** kit refuses what calls an address and writes to it, or has too many accounts. */
  #compile(payer: Address, instructions: readonly Instruction[], version: Version): Transaction | null {
    try {
      return this.#compileUnchecked(payer, instructions, version);
    } catch (error) {
      if (isSolanaError(error)) return null;
      throw error;
    }
  }

  #compileUnchecked(payer: Address, instructions: readonly Instruction[], version: Version): Transaction {
    const lifetime = { blockhash: this.#svm.latestBlockhash(), lastValidBlockHeight: 0n };
    // Once per version: kit's types keep them apart.
    switch (version) {
      case 'legacy':
        return pipe(
          createTransactionMessage({ version }),
          (message) => setTransactionMessageFeePayer(payer, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
          (message) => appendTransactionMessageInstructions(instructions, message),
          compileTransaction,
        );
      case 0:
        return pipe(
          createTransactionMessage({ version }),
          (message) => setTransactionMessageFeePayer(payer, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
          (message) => appendTransactionMessageInstructions(instructions, message),
          (message) => compressTransactionMessageUsingAddressLookupTables(message, this.#lookupTable),
          compileTransaction,
        );
      case 1:
        return pipe(
          createTransactionMessage({ version }),
          (message) => setTransactionMessageFeePayer(payer, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
          (message) => setTransactionMessageConfig(V1_LIMITS, message),
          (message) => appendTransactionMessageInstructions(instructions, message),
          compileTransaction,
        );
      default:
        return version satisfies never;
    }
  }

  #contextAt(epoch: bigint): SlotContext {
    return {
      slot: epoch * 432_000n + 7n,
      unixTimestamp: 1_700_000_000n + epoch,
      epoch,
      lamportsPerSignature: 5_000n,
      minimumBalance: (dataLength) => this.#minimumBalance(dataLength),
    };
  }

  #minimumBalance(dataLength: number): bigint {
    const known = this.#minimumBalances.get(dataLength);
    if (known !== undefined) return known;
    const balance = this.#svm.minimumBalanceForRentExemption(BigInt(dataLength));
    this.#minimumBalances.set(dataLength, balance);
    return balance;
  }

  #copyFromLiteSvm(address: Address): void {
    const state = this.#readLiteSvm(address);
    if (state !== undefined) this.#ledger.set(address, state);
    this.#watched.add(address);
  }

  #readLiteSvm(address: Address): AccountState | undefined {
    const account = this.#svm.getAccount(address);
    if (!account.exists) return undefined;
    const { lamports: balance, programAddress: owner, data, executable } = account;
    return { lamports: BigInt(balance), owner, data, executable };
  }
}

function modelOutcome({ error, returnData, innerInstructions }: ExecutionResult): Outcome {
  return {
    error,
    // A failed transaction's traces are cut at different places; only its error counts.
    returnData: error !== null || returnData === null || returnData.data.length === 0 ? null : toComparable(returnData),
    inner:
      error !== null
        ? null
        : innerInstructions.flatMap(({ instructions }) =>
            instructions.map((inner) => [
              inner.programIdIndex,
              inner.accounts.join(),
              hex(inner.data),
              inner.stackHeight,
            ]),
          ),
  };
}

function litesvmOutcome(outcome: ReturnType<LiteSVM['sendTransaction']>): Outcome {
  if (outcome instanceof FailedTransactionMetadata)
    return { error: toRpcError(outcome), returnData: null, inner: null };
  const returned = outcome.returnData();
  return {
    error: null,
    returnData:
      returned.data().length === 0
        ? null
        : { programId: getBase58Decoder().decode(returned.programId()), data: hex(returned.data()) },
    inner: outcome.innerInstructions().flatMap((list) =>
      list.map((inner) => {
        const instruction = inner.instruction();
        const accounts = [...instruction.accounts()].join();
        return [instruction.programIdIndex(), accounts, hex(instruction.data()), inner.stackHeight()];
      }),
    ),
  };
}

function toComparable({ programId, data }: { readonly programId: Address; readonly data: Uint8Array }) {
  return { programId: getBase58Decoder().decode(getAddressEncoder().encode(programId)), data: hex(data) };
}

function describe(state: AccountState | undefined): string {
  if (state === undefined) return 'none';
  return `${state.lamports} ${state.owner} ${state.executable} ${hex(state.data)}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
