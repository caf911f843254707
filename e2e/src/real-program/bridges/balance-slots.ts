import {
  decodeArguments,
  isInstructionOf,
  lendingAccountBorrow,
  lendingAccountCloseBalance,
  lendingAccountDeposit,
  lendingAccountLiquidate,
  lendingAccountRepay,
  lendingAccountWithdraw,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
} from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import type { AccountReader } from '../chain.ts';

/** Which bank stands in which slot of the accounts that a transaction touches, as the ELF fills and empties them. */
export class BalanceSlots {
  readonly #accounts: AccountReader;
  readonly #slots = new Map<Address, (Address | null)[]>();

  constructor(accounts: AccountReader) {
    this.#accounts = accounts;
  }

  /** Banks in slot order; a slot without a balance is left out. */
  banksOf(account: Address): readonly Address[] {
    return this.#slotsOf(account).filter((bank) => bank !== null);
  }

  /** Follows one instruction: new balances take the first free slot, closed ones free theirs. */
  follow(instruction: Instruction): void {
    const data = new Uint8Array(instruction.data ?? []);
    const at = (position: number) => instruction.accounts?.[position]?.address;
    const [account, bank] = [at(1), at(3)];
    if (isInstructionOf(lendingAccountLiquidate, data)) {
      const [assetBank, debtBank, liquidator] = [at(1), at(2), at(3)];
      this.#open(liquidator, debtBank);
      this.#open(liquidator, assetBank);
    }
    if (isInstructionOf(lendingAccountDeposit, data) || isInstructionOf(lendingAccountBorrow, data)) {
      this.#open(account, bank);
    }
    if (closesBalance(data)) this.#close(account, bank);
  }

  #open(account: Address | undefined, bank: Address | undefined): void {
    if (account === undefined || bank === undefined) return;
    const slots = this.#slotsOf(account);
    const free = slots.indexOf(null);
    if (!slots.includes(bank) && free >= 0) slots[free] = bank;
  }

  #close(account: Address | undefined, bank: Address | undefined): void {
    if (account === undefined || bank === undefined) return;
    const slots = this.#slotsOf(account);
    const held = slots.indexOf(bank);
    if (held >= 0) slots[held] = null;
  }

  #slotsOf(account: Address): (Address | null)[] {
    const known = this.#slots.get(account) ?? readSlots(this.#accounts, account);
    this.#slots.set(account, known);
    return known;
  }
}

function closesBalance(data: Uint8Array): boolean {
  if (isInstructionOf(lendingAccountCloseBalance, data)) return true;
  if (isInstructionOf(lendingAccountRepay, data)) return decodeArguments(lendingAccountRepay, data).repayAll === true;
  return (
    isInstructionOf(lendingAccountWithdraw, data) && decodeArguments(lendingAccountWithdraw, data).withdrawAll === true
  );
}

function readSlots(accounts: AccountReader, account: Address): (Address | null)[] {
  const state = accounts.account(account);
  if (state === undefined || state.owner !== MARGINFI_PROGRAM) return new Array<null>(16).fill(null);
  const { balances } = marginfiAccountLayout.decode(state.data).lendingAccount;
  return balances.map(({ active, bankPk }) => (active === 1 ? bankPk : null));
}
