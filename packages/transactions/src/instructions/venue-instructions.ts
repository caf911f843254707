import type { I80F48 } from '@lending/domain';
import type { ProgramVersion } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { ActionAmount } from '#action.ts';
import type { ReadAccount } from '#live/live-accounts.ts';

/** Who acts on which bank, with which token account. */
export interface BankParty {
  readonly program: Address;
  readonly version: ProgramVersion;
  readonly authority: Address;
  /** The lending account. */
  readonly account: Address;
  readonly bank: P0Bank;
  /** Of the bank's mint: what deposits and repayments are taken from, and where withdrawals and loans arrive. */
  readonly tokenAccount: Address;
  readonly tokenProgram: Address;
}

/** What a withdrawal is to pay. */
export interface WithdrawalGoal {
  /** Underlying base units, or all there is. */
  readonly amount: ActionAmount;
  /** What the account holds in the bank. */
  readonly assetShares: I80F48;
  /** When it is built: from then on receipts are worth more, never less. */
  readonly moment: { readonly slot: bigint; readonly unixTimestamp: bigint };
}

/** An account that an action needs and that does not exist: whoever comes first makes it, for all. */
export interface MissingAccount {
  readonly address: Address;
  /** Of data. */
  readonly bytes: number;
  readonly create: Instruction;
}

/** What acting on banks of one venue takes. Whatever is not handed in is read, and has to have been read before. */
export interface VenueInstructions {
  /** Accounts whose bytes building an action on the bank reads, as far as what was read until now tells: asked until nothing new is named. */
  accountsToAct(bank: P0Bank, read: ReadAccount): Promise<readonly Address[]>;
  /** The same for `refresh`. */
  accountsToRefresh(bank: P0Bank, read: ReadAccount): Promise<readonly Address[]>;
  /** Brings the venue's accounts behind these banks to this slot, as a health check wants them. Anyone may send it. */
  refresh(banks: readonly P0Bank[], read: ReadAccount): Promise<readonly Instruction[]>;
  /**
   * What has to come right before a deposit in the bank or a withdrawal from it, in the same transaction. Another action on the same
   * reserve undoes it.
   * @param others banks of the same venue that the action's health check reads: they are refreshed along.
   */
  refreshToAct(
    kind: 'deposit' | 'withdraw',
    bank: P0Bank,
    others: readonly P0Bank[],
    read: ReadAccount,
  ): Promise<readonly Instruction[]>;
  /** Accounts of the bank's own that nobody has made yet. */
  missingAccounts(
    kind: 'deposit' | 'withdraw',
    party: BankParty,
    read: ReadAccount,
  ): Promise<readonly MissingAccount[]>;
  /** @param amount underlying base units that are credited. */
  deposit(party: BankParty, amount: bigint, read: ReadAccount): Promise<Instruction>;
  /**
   * What a withdrawal has to name, in the unit in which the program counts it: receipts on Kamino and Save, as few as pay what is asked,
   * underlying elsewhere. All frees the slot.
   */
  unitsToWithdraw(bank: P0Bank, goal: WithdrawalGoal, read: ReadAccount): ActionAmount;
  /** @param health the health list as it stands after the withdrawal. */
  withdraw(party: BankParty, units: ActionAmount, health: readonly Address[], read: ReadAccount): Promise<Instruction>;
}
