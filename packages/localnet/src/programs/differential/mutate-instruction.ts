import type { AccountRole, Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { UNSUPPORTED_TOKEN_2022_INSTRUCTIONS } from '../token-2022/token-2022-program.ts';
import { choose, type Dice } from './dice.ts';
import { concat } from './instruction-bytes.ts';
import { type AnyInstruction, EVERYTHING, PAYER, TOKEN_2022 } from './world.ts';

/** Of 100 instructions, how many are spoilt. */
const MUTATION_RATE = 15;

/** Swaps, drops or redirects an account, changes a role, cuts or changes the data; or leaves all as it is. */
export function mutateInstruction(dice: Dice, built: AnyInstruction): AnyInstruction {
  const { mutation, mutationPicks } = dice.operation;
  if (mutation >= MUTATION_RATE) return built;
  const [position, value] = mutationPicks;
  const index = built.accounts.length === 0 ? 0 : position % built.accounts.length;
  const account = built.accounts[index];
  const replace = (change: Partial<{ address: Address; role: AccountRole }>) => ({
    ...built,
    accounts: built.accounts.map((meta, at) => (at === index ? { ...meta, ...change } : meta)) as never,
  });
  switch (mutation % 8) {
    case 0:
      return replace({ address: choose(EVERYTHING, value) });
    case 1:
      return account === undefined ? built : replace({ role: (account.role ^ 1) as AccountRole });
    case 2:
      return account === undefined ? built : replace({ role: (account.role ^ 2) as AccountRole });
    case 3:
      return { ...built, accounts: built.accounts.filter((_, at) => at !== index) };
    case 4:
      return { ...built, data: built.data.slice(0, value % (built.data.length + 1)) };
    case 5:
      return { ...built, data: spoil(new Uint8Array(built.data), position, value) };
    case 6:
      return replace({ address: built.accounts[value % built.accounts.length]?.address ?? PAYER });
    default:
      return { ...built, data: concat(new Uint8Array(built.data), value % 256) };
  }
}

/** Whether the model has this instruction at all. */
export function isModelled({ programAddress, data }: AnyInstruction): boolean {
  const tag = data[0] ?? 0;
  if (programAddress === SYSTEM_PROGRAM) return !((tag >= 4 && tag <= 7) || tag === 12);
  if (programAddress !== TOKEN_2022.program) return true;
  const isPointerUpdate = [36, 39, 40, 41].includes(tag) && data[1] === 1;
  return !UNSUPPORTED_TOKEN_2022_INSTRUCTIONS.has(tag) && !isPointerUpdate;
}

function spoil(data: Uint8Array, position: number, value: number): Uint8Array {
  if (data.length > 0) data[position % data.length] = value % 256;
  return data;
}
