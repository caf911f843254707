import type { P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { Amount, Owner } from '../lending-instructions.ts';

/** The bytes of an account; whoever builds instructions reads from the venue's accounts where it keeps its tokens. */
export type ReadAccount = (address: Address) => Uint8Array;

/** What acting on a bank of one venue takes. */
export interface VenueInstructions {
  readonly rates: RateInstructions;
  /** Makes the reserve, and what P0 holds in it, of this slot. Anyone may send it. */
  refresh(bank: P0Bank, read: ReadAccount): readonly Instruction[];
  /** Underlying tokens, in base units. */
  deposit(owner: Owner, bank: P0Bank, amount: bigint, read: ReadAccount): readonly Instruction[];
  /**
   * @param amount in what the program counts: receipts on Kamino and Save, underlying tokens on JupLend.
   * @param health the health list as it stands after the withdrawal.
   */
  withdraw(
    owner: Owner,
    bank: P0Bank,
    amount: Amount,
    health: readonly Address[],
    read: ReadAccount,
  ): readonly Instruction[];
}

/** What comparing a bank's rate with those of others takes, as a rebalance does. */
interface RateInstructions {
  /** Makes of this slot what the rate is read from. */
  refresh(bank: P0Bank, read: ReadAccount): readonly Instruction[];
  /** The accounts between the bank and its oracle's; fewer where only earnings are read, and no rate. */
  accounts(bank: P0Bank, asked: 'rate' | 'earnings', read: ReadAccount): readonly Address[];
}

/** What a venue's own customers send, without P0 in between. */
export interface ReserveInstructions {
  /** The token a depositor of the reserve gets. */
  receiptOf(reserve: Address, read: ReadAccount): { readonly mint: Address; readonly tokenProgram: Address };
  /** Brings the reserve's interest and prices to this slot. Anyone may send it. */
  refresh(reserve: Address, read: ReadAccount): Instruction;
  /** Exchanges underlying base units of the wallet's associated account for receipts, which need an account already. */
  supply(wallet: Address, reserve: Address, amount: bigint, read: ReadAccount): readonly Instruction[];
  /** Exchanges receipts for underlying tokens. */
  redeem(wallet: Address, reserve: Address, receipts: bigint, read: ReadAccount): readonly Instruction[];
}
