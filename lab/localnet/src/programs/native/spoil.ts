import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import type { Dice } from '#actors/dice.ts';

type Whole = Required<Instruction>;

/**
 * Another account, another role, one account less or more, other data: in one instruction behind the first.
 * @param strangers accounts that an instruction may be given in place of its own.
 */
export function spoil(dice: Dice, instructions: readonly Whole[], strangers: readonly Address[]): readonly Whole[] {
  const at = 1 + dice.roll(instructions.length - 1);
  return instructions.map((built, index) => (index === at ? spoilOne(dice, built, strangers) : built));
}

function spoilOne(dice: Dice, built: Whole, strangers: readonly Address[]): Whole {
  const place = dice.roll(Math.max(built.accounts.length, 1));
  const other = () => pick(dice, [...built.accounts.map(({ address }) => address), ...strangers]);
  const replace = (change: Partial<AccountMeta>): Whole => ({
    ...built,
    accounts: built.accounts.map((meta, position) =>
      position === place ? ({ ...meta, ...change } as AccountMeta) : meta,
    ),
  });
  const data = Uint8Array.from(built.data);
  switch (dice.roll(7)) {
    case 0:
    case 1:
      return replace({ address: other() });
    case 2:
      return replace({ role: dice.roll(4) });
    case 3:
      return { ...built, accounts: built.accounts.filter((_, position) => position !== place) };
    case 4:
      return { ...built, data: data.slice(0, dice.roll(data.length + 1)) };
    case 5: {
      const spoilt = data.length - 1 - dice.roll(9);
      return { ...built, data: data.map((byte, position) => (position === spoilt ? dice.roll(256) : byte)) };
    }
    default: {
      const added = { address: other(), role: AccountRole.READONLY };
      return { ...built, accounts: built.accounts.toSpliced(place, 0, added) };
    }
  }
}

/** A transaction has one role for each account; instructions get it, whatever they asked for. */
export function withPrivileges(payer: Address, instructions: readonly Whole[]): readonly Whole[] {
  const roles = new Map<Address, AccountRole>([[payer, AccountRole.WRITABLE_SIGNER]]);
  for (const { address, role } of instructions.flatMap(({ accounts }) => accounts)) {
    roles.set(address, ((roles.get(address) ?? 0) | role) as AccountRole);
  }
  // What is called is never written to.
  for (const { programAddress } of instructions) roles.set(programAddress, AccountRole.READONLY);
  return instructions.map((built) => ({
    ...built,
    accounts: built.accounts.map(({ address }) => ({ address, role: roles.get(address) ?? AccountRole.READONLY })),
  }));
}

export function pick<T>(dice: Dice, list: readonly T[]): T {
  return list[dice.roll(list.length)] as T;
}
