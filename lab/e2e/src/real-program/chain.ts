import type { AccountState, Engine, ExecutionResult, SlotContext } from '@lending/localnet';
import { COMPUTE_BUDGET_PROGRAM } from '@lending/programs';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { PAYER, SYSTEM_PROGRAM } from './addresses.ts';

/** The engine looks at no blockhash. */
const LIFETIME = { blockhash: SYSTEM_PROGRAM as string as Blockhash, lastValidBlockHeight: 0n };
/** SetComputeUnitLimit of 1,400,000. */
const UNIT_LIMIT: Instruction = {
  programAddress: COMPUTE_BUDGET_PROGRAM,
  data: Uint8Array.of(2, 0xc0, 0x5c, 0x15, 0),
};
const LAMPORTS_PER_SIGNATURE = 5_000n;
/** Instructions that `send` puts before those it is given. */
export const LEADING_INSTRUCTIONS = 1;

export interface ChainState {
  readonly accounts: ReadonlyMap<Address, AccountState>;
  readonly unixTimestamp: bigint;
}

/** An engine with accounts and a clock: a chain without blocks. Signatures are not asked for, so every address can sign. */
export class Chain {
  readonly #engine: Engine;
  #accounts = new Map<Address, AccountState>();
  #unixTimestamp: bigint;

  constructor(engine: Engine, { accounts, unixTimestamp }: ChainState) {
    this.#engine = engine;
    this.#accounts = new Map(accounts);
    this.#unixTimestamp = unixTimestamp;
  }

  get state(): ChainState {
    return { accounts: new Map(this.#accounts), unixTimestamp: this.#unixTimestamp };
  }

  get unixTimestamp(): bigint {
    return this.#unixTimestamp;
  }

  reset({ accounts, unixTimestamp }: ChainState): void {
    this.#accounts = new Map(accounts);
    this.#unixTimestamp = unixTimestamp;
  }

  account(address: Address): AccountState | undefined {
    return this.#accounts.get(address);
  }

  /** @throws TypeError when the account is not there. */
  data(address: Address): Uint8Array {
    const state = this.#accounts.get(address);
    if (state === undefined) throw new TypeError(`There is no account ${address}`);
    return state.data;
  }

  setAccount(address: Address, state: AccountState | undefined): void {
    if (state === undefined) this.#accounts.delete(address);
    else this.#accounts.set(address, state);
  }

  setData(address: Address, data: Uint8Array): void {
    const state = this.#accounts.get(address);
    if (state === undefined) throw new TypeError(`There is no account ${address}`);
    this.#accounts.set(address, { ...state, data });
  }

  passTime(seconds: bigint): void {
    this.#unixTimestamp += seconds;
  }

  /** Runs one version 0 transaction and keeps what it wrote. */
  send(instructions: readonly Instruction[]): ExecutionResult {
    const result = this.simulate(instructions);
    for (const [address, state] of result.writes) this.setAccount(address, state);
    return result;
  }

  simulate(instructions: readonly Instruction[]): ExecutionResult {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(PAYER, empty),
      (payed) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, payed),
      (dated) => appendTransactionMessageInstructions([UNIT_LIMIT, ...instructions], dated),
    );
    const wire = new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
    const source = { get: (address: Address) => this.#accounts.get(address) };
    return this.#engine.execute(wire, source, this.#context(), { verifySignatures: false });
  }

  /** Two slots a second, so that the slot moves with the clock. */
  #context(): SlotContext {
    const slot = this.#unixTimestamp * 2n;
    return {
      slot,
      unixTimestamp: this.#unixTimestamp,
      epoch: slot / 432_000n,
      lamportsPerSignature: LAMPORTS_PER_SIGNATURE,
      minimumBalance: rentExempt,
    };
  }
}

export function rentExempt(dataLength: number): bigint {
  return BigInt(dataLength + 128) * 6_960n;
}
