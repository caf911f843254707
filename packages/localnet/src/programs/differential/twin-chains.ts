import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getAddressEncoder,
  getTransactionEncoder,
  type Instruction,
  isSolanaError,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';
import { LiteSVM } from 'litesvm';
import type { AccountState, Engine, ExecutionResult, SlotContext } from '#engine/engine.ts';
import { createLiteSvmEngine } from '#engine/litesvm-engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';

/** What one transaction did, as far as both engines must agree. */
interface Outcome {
  readonly error: unknown;
  readonly isRecorded: boolean;
  readonly fee: bigint;
  readonly balances: readonly (readonly bigint[])[];
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

/** One engine and the accounts its transactions left. */
class Side {
  readonly ledger = new Map<Address, AccountState>();
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  set(address: Address, state: AccountState | undefined): void {
    if (state === undefined) this.ledger.delete(address);
    else this.ledger.set(address, state);
  }

  run(wire: Uint8Array, context: SlotContext): ExecutionResult {
    const source = { get: (address: Address) => this.ledger.get(address) };
    const result = this.#engine.execute(wire, source, context, { verifySignatures: false });
    for (const [address, state] of result.writes) this.set(address, state);
    return result;
  }
}

const LIFETIME = { blockhash: SYSTEM_PROGRAM as string as Blockhash, lastValidBlockHeight: 0n };

/** The model engine and LiteSVM, each with accounts of its own that began alike. LiteSVM's memory is native: make one and `reset` it. */
export class TwinChains {
  readonly #model = new Side(createModelEngine());
  readonly #litesvm: Side;
  readonly #watched = new Set<Address>();
  #lookupTable: Readonly<Record<Address, Address[]>> = {};
  #context = contextAt(600n);

  private constructor(litesvm: Engine) {
    this.#litesvm = new Side(litesvm);
  }

  /** @param shared what LiteSVM has from the start and the model is given too. */
  static async create(shared: readonly Address[]): Promise<TwinChains> {
    const chains = new TwinChains(await createLiteSvmEngine());
    const machine = new LiteSVM();
    for (const address of shared) chains.setAccount(address, readAccount(machine, address));
    return chains;
  }

  get context(): SlotContext {
    return this.#context;
  }

  account(address: Address): AccountState | undefined {
    return this.#model.ledger.get(address);
  }

  setEpoch(epoch: bigint): void {
    this.#context = contextAt(epoch);
  }

  setAccount(address: Address, state: AccountState | undefined): void {
    this.#watched.add(address);
    this.#model.set(address, state);
    this.#litesvm.set(address, state);
  }

  /** A table that version 0 transactions look their plain accounts up in. */
  setLookupTable(table: Address, addresses: readonly Address[]): void {
    const data = new Uint8Array(56 + 32 * addresses.length);
    data[0] = 1;
    data.fill(0xff, 4, 12);
    for (const [index, address] of addresses.entries()) data.set(getAddressEncoder().encode(address), 56 + 32 * index);
    const balance = this.#context.minimumBalance(data.length);
    this.setAccount(table, { lamports: balance, owner: LOOKUP_TABLE_PROGRAM, data, executable: false });
    this.#lookupTable = { [table]: [...addresses] };
  }

  snapshot(): Snapshot {
    return { accounts: new Map(this.#model.ledger), context: this.#context };
  }

  /** Puts both chains back, whether or not they agreed since. */
  reset({ accounts, context }: Snapshot): void {
    for (const address of this.#watched) this.setAccount(address, accounts.get(address));
    this.setEpoch(context.epoch);
  }

  /** Runs the same transaction on both and applies it; the caller compares. `null`: no client would build it. */
  run(payer: Address, instructions: readonly Instruction[], version: Version): Comparison | null {
    const transaction = this.#compile(payer, instructions, version);
    if (transaction === null) return null;
    const wire = new Uint8Array(getTransactionEncoder().encode(transaction));
    const result = this.#model.run(wire, this.#context);
    const litesvm = this.#litesvm.run(wire, this.#context);
    for (const key of result.accountKeys) this.#watched.add(key);
    return { model: outcomeOf(result), litesvm: outcomeOf(litesvm), result };
  }

  /** Those of the accounts that differ; by default every account either chain may ever have touched. */
  differences(addresses: Iterable<Address> = this.#watched): string[] {
    return [...addresses].flatMap((address) => {
      const model = describe(this.#model.ledger.get(address));
      const litesvm = describe(this.#litesvm.ledger.get(address));
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
    // Once per version: kit's types keep them apart.
    switch (version) {
      case 'legacy':
        return pipe(
          createTransactionMessage({ version }),
          (message) => setTransactionMessageFeePayer(payer, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, message),
          (message) => appendTransactionMessageInstructions(instructions, message),
          compileTransaction,
        );
      case 0:
        return pipe(
          createTransactionMessage({ version }),
          (message) => setTransactionMessageFeePayer(payer, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, message),
          (message) => appendTransactionMessageInstructions(instructions, message),
          (message) => compressTransactionMessageUsingAddressLookupTables(message, this.#lookupTable),
          compileTransaction,
        );
      case 1:
        return pipe(
          createTransactionMessage({ version }),
          (message) => setTransactionMessageFeePayer(payer, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, message),
          (message) => setTransactionMessageConfig(V1_LIMITS, message),
          (message) => appendTransactionMessageInstructions(instructions, message),
          compileTransaction,
        );
      default:
        return version satisfies never;
    }
  }
}

function contextAt(epoch: bigint): SlotContext {
  return {
    slot: epoch * 432_000n + 7n,
    unixTimestamp: 1_700_000_000n + epoch,
    epoch,
    lamportsPerSignature: 5_000n,
    minimumBalance: (dataLength) => BigInt(dataLength + 128) * 6_960n,
  };
}

function readAccount(machine: LiteSVM, address: Address): AccountState | undefined {
  const account = machine.getAccount(address);
  if (!account.exists) return undefined;
  const { lamports, programAddress: owner, data, executable } = account;
  return { lamports: BigInt(lamports), owner, data: new Uint8Array(data), executable };
}

function outcomeOf(result: ExecutionResult): Outcome {
  const { error, isRecorded, fee, returnData, innerInstructions, preBalances, postBalances } = result;
  return {
    error,
    isRecorded,
    fee,
    // What never ran was not looked up by both.
    balances: isRecorded ? [preBalances, postBalances] : [],
    // A failed transaction's traces are cut at different places; only its error counts.
    returnData: error !== null || returnData === null || returnData.data.length === 0 ? null : toComparable(returnData),
    inner:
      error !== null
        ? null
        : innerInstructions.map(({ index, instructions }) => [
            index,
            instructions.map((inner) => [
              inner.programIdIndex,
              inner.accounts.join(),
              hex(inner.data),
              inner.stackHeight,
            ]),
          ]),
  };
}

function toComparable({ programId, data }: { readonly programId: Address; readonly data: Uint8Array }) {
  return { programId, data: hex(data) };
}

function describe(state: AccountState | undefined): string {
  if (state === undefined) return 'none';
  return `${state.lamports} ${state.owner} ${state.executable} ${hex(state.data)}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
