import { readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import { readU64 } from '#engine/bytes.ts';
import { ACCOUNT, MINT } from '../token/token-state.ts';
import { instruction, type Meta } from './instruction-bytes.ts';
import type { Operation } from './random-operation.ts';
import type { TwinChains } from './twin-chains.ts';
import { type AnyInstruction, associatedAddress, SIDES, TOKEN, type TokenSide, WALLETS } from './world.ts';

export const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Reads an operation's numbers as choices, against the state the chains are in. */
export class Dice {
  readonly operation: Operation;
  readonly chains: TwinChains;
  readonly side: TokenSide;

  constructor(operation: Operation, chains: TwinChains) {
    this.operation = operation;
    this.chains = chains;
    this.side = SIDES[operation.side % SIDES.length] ?? TOKEN;
  }

  token(metas: readonly Meta[], ...data: readonly (Uint8Array | number)[]): AnyInstruction {
    return instruction(this.side.program, metas, ...data);
  }

  pick(index: 0 | 1 | 2 | 3): number {
    return this.operation.picks[index];
  }

  account(index: 0 | 1 | 2 | 3): Address {
    const all = [...this.side.accounts, ...this.#everyAccount()];
    return choose(
      this.preferLive(all, (data) => data.length >= ACCOUNT.size && data[ACCOUNT.state] !== 0),
      this.pick(index),
    );
  }

  /** Mostly accounts that are in use, unless there are none or the dice say otherwise. */
  preferLive(addresses: readonly Address[], isLive: (data: Uint8Array) => boolean): readonly Address[] {
    const live = addresses.filter((address) => isLive(this.data(address)));
    return live.length === 0 || this.operation.flag % 7 === 0 ? addresses : live;
  }

  mint(index: 0 | 1 | 2 | 3): Address {
    const all = [...this.side.mints, ...this.side.mints, this.side.nativeMint];
    return choose(
      this.preferLive(all, (data) => data[MINT.isInitialized] === 1),
      this.pick(index),
    );
  }

  unusedMint(): Address {
    const unused = this.side.mints.filter((mint) => this.chains.account(mint) === undefined);
    return choose(this.operation.flag % 4 === 0 || unused.length === 0 ? this.side.mints : unused, this.pick(0));
  }

  unusedAccount(): Address {
    const { accounts } = this.side;
    const unused = accounts.filter((account) => this.data(account)[ACCOUNT.state] !== 1);
    return choose(this.operation.flag % 4 === 3 || unused.length === 0 ? accounts : unused, this.pick(0));
  }

  /** Mostly two accounts of one mint. */
  twoAccounts(source = this.account(0)): [Address, Address] {
    const mint = this.mintOf(source);
    const { accounts } = this.side;
    const fitting = this.#everyAccount().filter((account) => this.#isOf(account, mint));
    const others = [...fitting, ...fitting, ...fitting, source, ...accounts];
    return [source, choose(others, this.pick(1))];
  }

  /** An account of the mint with transfer fees, while there is one. */
  feeAccount(): Address {
    const [, , feeMint] = this.side.mints;
    const fitting = this.#everyAccount().filter((account) => this.#isOf(account, feeMint));
    return fitting.length === 0 || this.operation.flag % 9 === 8 ? this.account(0) : choose(fitting, this.pick(0));
  }

  /** Up to three accounts, mostly of this mint. */
  someAccounts(mint: Address): Meta[] {
    const fitting = this.#everyAccount().filter((account) => this.#isOf(account, mint));
    const pool = fitting.length === 0 || this.operation.flag % 9 === 8 ? this.side.accounts : fitting;
    return Array.from(
      { length: this.operation.flag % 4 },
      (_, index): Meta => ['w', choose(pool, this.pick(3) + index * 5)],
    );
  }

  #everyAccount(): Address[] {
    const { accounts, mints, program } = this.side;
    return [...accounts, ...WALLETS.flatMap((wallet) => mints.map((mint) => associatedAddress(wallet, mint, program)))];
  }

  #isOf(account: Address, mint: Address | undefined): boolean {
    const data = this.data(account);
    return data.length >= ACCOUNT.size && data[ACCOUNT.state] !== 0 && readAddress(data, ACCOUNT.mint) === mint;
  }

  data(address: Address): Uint8Array {
    return this.chains.account(address)?.data ?? new Uint8Array();
  }

  mintOf(account: Address): Address {
    const data = this.data(account);
    const isPlausible = data.length >= ACCOUNT.size && data[ACCOUNT.state] !== 0;
    return isPlausible ? readAddress(data, ACCOUNT.mint) : this.mint(2);
  }

  decimalsOf(mint: Address): number {
    const decimals = this.data(mint)[MINT.decimals] ?? 0;
    return this.operation.flag % 23 === 0 ? (decimals + 1) % 256 : decimals;
  }

  plainAmount(): bigint {
    return choose([0n, 1n, 2n, 10n, 999n, 1_000n, 12_345n, 1_000_000n, U64_MAX, 1n << 63n], this.operation.amount);
  }

  amountOf(account: Address): bigint {
    const data = this.data(account);
    const balance = data.length >= ACCOUNT.size ? readU64(data, ACCOUNT.amount) : 0n;
    const third = balance / 3n;
    const allowance = data.length >= ACCOUNT.size ? readU64(data, ACCOUNT.delegatedAmount) : 0n;
    if (this.operation.amount % 6 === 5 && allowance > 0n) return allowance;
    const choices = [third, third, third, balance, balance / 2n + 1n, (balance + 1n) % U64_MAX, this.plainAmount()];
    return choose(choices, Math.floor(this.operation.amount / 10));
  }

  /** The fee of the newer rate, which is often the one in force. */
  feeOf(mint: Address, amount: bigint): bigint {
    const data = this.data(mint);
    if (data.length < 278 || this.operation.flag % 11 === 0) return 0n;
    const older = 170 + 72;
    const newer = 170 + 90;
    const start = readU64(data, newer) <= this.chains.context.epoch ? newer : older;
    const rate = BigInt((data[start + 16] ?? 0) + 256 * (data[start + 17] ?? 0));
    const fee = (amount * rate + 9_999n) / 10_000n;
    const maximum = readU64(data, start + 8);
    return fee < maximum ? fee : maximum;
  }

  /** Metas of the authority that stands at `offset` of the target, mostly; sometimes of somebody else. */
  authorityOf(target: Address, offset: number): Meta[] {
    const data = this.data(target);
    const mode = this.operation.authority;
    const isDelegated = data.length >= ACCOUNT.size && data[ACCOUNT.delegate] === 1;
    if (isDelegated && mode < 25) return this.signedBy(readAddress(data, ACCOUNT.delegate + 4));
    if (data.length >= offset + 32 && mode < 85) return this.signedBy(readAddress(data, offset));
    return this.signedBy(choose([...WALLETS, this.side.multisig, target], mode));
  }

  signedBy(authority: Address): Meta[] {
    const isUnsigned = this.operation.authority % 17 === 16;
    if (this.side.multisig !== authority) return [[isUnsigned ? 'r' : 's', authority]];
    const [first, second] = WALLETS;
    const signers = choose([[first, second], [second, first], WALLETS, [first], [first, first]], this.operation.flag);
    return [['r', authority], ...signers.map((wallet): Meta => [isUnsigned ? 'r' : 's', wallet])];
  }
}

export function choose<T>(options: readonly T[], pick: number): T {
  return options[pick % options.length] as T;
}
