import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import type { AccountState, Engine, ExecutionResult, SlotContext } from './engine.ts';
import { createLiteSvmEngine } from './litesvm-engine.ts';
import { createModelEngine } from './model-engine.ts';
import { BPF_LOADER } from './runtime-addresses.ts';
import { CONTEXT, legacyTransaction, wireOf } from './testing-transactions.ts';

/** What one transaction did, as far as both engines must agree. */
interface Outcome {
  readonly error: unknown;
  readonly fee: bigint;
  readonly balances: readonly (readonly bigint[])[];
  /** Only of a success: the traces of a failure are cut at different places. */
  readonly returnData: unknown;
  readonly inner: unknown;
  /** Every account as it stands afterwards. */
  readonly accounts: Readonly<Record<string, string>>;
}

/** One engine and the accounts its transactions left. */
interface Side {
  readonly engine: Engine;
  readonly accounts: Map<Address, AccountState>;
}

/** The model engine and LiteSVM, each with accounts of its own that began alike. LiteSVM's memory is native: make one and `reset` it. */
export class TwinEngines {
  readonly #model: Side = { engine: createModelEngine(), accounts: new Map() };
  readonly #litesvm: Side;
  epoch = CONTEXT.epoch;

  private constructor(litesvm: Engine) {
    this.#litesvm = { engine: litesvm, accounts: new Map() };
  }

  static async create(): Promise<TwinEngines> {
    const engines = new TwinEngines(await createLiteSvmEngine());
    // LiteSVM has these by itself, and the same lamports only of what both are given.
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ASSOCIATED_TOKEN_PROGRAM])
      engines.place(program, { lamports: 1n, owner: BPF_LOADER, data: new Uint8Array(), executable: true });
    return engines;
  }

  account(address: Address): AccountState | undefined {
    return this.#model.accounts.get(address);
  }

  place(address: Address, state: AccountState): void {
    for (const { accounts } of [this.#model, this.#litesvm]) accounts.set(address, state);
  }

  snapshot(): ReadonlyMap<Address, AccountState> {
    return new Map(this.#model.accounts);
  }

  /** Puts both back, whether or not they agreed since. */
  reset(snapshot: ReadonlyMap<Address, AccountState>): void {
    this.epoch = CONTEXT.epoch;
    for (const { accounts } of [this.#model, this.#litesvm]) {
      accounts.clear();
      for (const [address, state] of snapshot) accounts.set(address, state);
    }
  }

  /** Runs the same transaction on both and keeps what it did; the caller compares. */
  run(payer: Address, instructions: readonly Instruction[]) {
    const wire = wireOf(legacyTransaction(payer, instructions));
    const context = { ...CONTEXT, epoch: this.epoch };
    const result = execute(this.#model, wire, context);
    const litesvm = outcomeOf(execute(this.#litesvm, wire, context), this.#litesvm);
    return { result, model: outcomeOf(result, this.#model), litesvm };
  }
}

function execute({ engine, accounts }: Side, wire: Uint8Array, context: SlotContext): ExecutionResult {
  const source = { get: (address: Address) => accounts.get(address) };
  const result = engine.execute(wire, source, context, { verifySignatures: false });
  for (const [address, state] of result.writes) {
    if (state === undefined) accounts.delete(address);
    else accounts.set(address, state);
  }
  return result;
}

function outcomeOf(result: ExecutionResult, { accounts }: Side): Outcome {
  const { error, fee, returnData, innerInstructions, preBalances, postBalances, accountKeys } = result;
  const isDone = error === null;
  return {
    error,
    fee,
    balances: [preBalances, postBalances],
    returnData: isDone && returnData !== null ? [returnData.programId, hex(returnData.data)] : null,
    inner: isDone
      ? innerInstructions.map(({ index, instructions }) => [
          index,
          instructions.map((inner) => ({ ...inner, accounts: inner.accounts.join(), data: hex(inner.data) })),
        ])
      : null,
    accounts: Object.fromEntries(accountKeys.map((address) => [address, describe(accounts.get(address))])),
  };
}

function describe(state: AccountState | undefined): string {
  return state === undefined ? 'none' : `${state.lamports} ${state.owner} ${hex(state.data)}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
