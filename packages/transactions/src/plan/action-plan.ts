import type { Address, Instruction } from '@solana/kit';

/** What a transaction of an envelope is for. */
export const TRANSACTION_TYPES = [
  'CREATE_ACCOUNT',
  'SETUP',
  'CRANK',
  'DEPOSIT',
  'WITHDRAW',
  'BORROW',
  'REPAY',
  'LOOP',
  'CLOSE_POSITION',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** An action as instructions, in the order they run, split by what may stand apart. */
export interface ActionPlan {
  readonly type: TransactionType;
  /** A person's words, such as `Deposit 1.5 SOL`. */
  readonly label: string;
  /** Makes token accounts, wraps SOL, opens the lending account: may land in an earlier transaction. */
  readonly setup: readonly Instruction[];
  /** The setup is of no use to anybody without the action: where it stands apart, all of it lands or nothing. */
  readonly isSetupBound: boolean;
  /** Brings venues' accounts to this very slot: lands in the same slot as the action, or the action fails. */
  readonly refresh: readonly Instruction[];
  /** The action itself. */
  readonly action: readonly Instruction[];
  /**
   * The pulse: sets the premiums of debts by what the account has after the action, in the action's transaction. With it, its own `refresh`
   * replaces the plan's. Null where no premium is to be set, or that could fail the action. Where it does not fit it is left out: the action lands without it.
   */
  readonly pulse: { readonly refresh: readonly Instruction[]; readonly instruction: Instruction } | null;
  /** Right after the action, in its transaction: unwraps SOL. */
  readonly cleanup: readonly Instruction[];
  /** Accounts the instructions create, with the lamports that go into each: what `fees.rent_sol` adds up. */
  readonly rent: readonly { readonly address: Address; readonly lamports: bigint }[];
  /** Accounts whose state after the last transaction the envelope reports: the lending account, the bank, token accounts, venue accounts. */
  readonly watch: readonly Address[];
}
