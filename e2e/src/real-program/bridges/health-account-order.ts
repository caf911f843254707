import {
  isInstructionOf,
  lendingAccountBorrow,
  lendingAccountEndFlashloan,
  lendingAccountLiquidate,
  lendingAccountWithdraw,
} from '@lending/programs';
import { type AccountMeta, type Address, getAddressEncoder, type Instruction } from '@solana/kit';
import type { AccountReader } from '../chain.ts';
import { BalanceSlots } from './balance-slots.ts';

/** Accounts per balance: the bank and its one feed. */
const PER_BALANCE = 2;

/**
 * Health accounts are sorted by bank today; the ELF wants them in the account's slot order. A list is checked against today's order
 * first and permuted only then, so that a wrong one stays wrong.
 */
export function orderHealthAccounts(
  accounts: AccountReader,
  instructions: readonly Instruction[],
): readonly Instruction[] {
  const slots = new BalanceSlots(accounts);
  return instructions.map((instruction) => {
    slots.follow(instruction);
    return reorder(instruction, slots);
  });
}

function reorder(instruction: Instruction, slots: BalanceSlots): Instruction {
  const data = instruction.data ?? [];
  const metas = instruction.accounts ?? [];
  const addressAt = (position: number) => metas[position]?.address as Address;
  if (isInstructionOf(lendingAccountLiquidate, data)) {
    const named = lendingAccountLiquidate.accounts.length + PER_BALANCE;
    const [liquidator, liquidatee] = [slots.banksOf(addressAt(3)), slots.banksOf(addressAt(5))];
    const middle = named + liquidator.length * PER_BALANCE;
    return {
      ...instruction,
      accounts: [
        ...metas.slice(0, named),
        ...permute(metas.slice(named, middle), liquidator),
        ...permute(metas.slice(middle), liquidatee),
      ],
    };
  }
  const layout = [lendingAccountBorrow, lendingAccountWithdraw, lendingAccountEndFlashloan].find((candidate) =>
    isInstructionOf(candidate, data),
  );
  if (layout === undefined) return instruction;
  const account = addressAt(layout.accounts.findIndex(({ name }) => name === 'marginfiAccount'));
  const named = layout.accounts.length;
  return {
    ...instruction,
    accounts: [...metas.slice(0, named), ...permute(metas.slice(named), slots.banksOf(account))],
  };
}

function permute(metas: readonly AccountMeta[], banks: readonly Address[]): readonly AccountMeta[] {
  const today = sortedDescending(banks);
  const isToday =
    metas.length === banks.length * PER_BALANCE &&
    today.every((bank, index) => metas[index * PER_BALANCE]?.address === bank);
  if (!isToday) return metas;
  return banks.flatMap((bank) => {
    const position = today.indexOf(bank) * PER_BALANCE;
    return metas.slice(position, position + PER_BALANCE);
  });
}

function sortedDescending(banks: Iterable<Address>): Address[] {
  const bytes = (bank: Address) => Buffer.from(getAddressEncoder().encode(bank));
  return [...banks].sort((left, right) => Buffer.compare(bytes(right), bytes(left)));
}
