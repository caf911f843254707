import * as programs from '@lending/programs';
import { type InstructionLayout, isInstructionOf } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { ProgramCall, TraceInstruction } from './activity-calls.ts';
import { nameAccounts } from './activity-movements.ts';
import type { P0EventFields } from './decode-events.ts';

/** Names that the program's instructions give lending accounts. */
const ACCOUNT_NAMES = [
  'marginfiAccount',
  'oldMarginfiAccount',
  'newMarginfiAccount',
  'liquidateeMarginfiAccount',
  'liquidatorMarginfiAccount',
];

/** Every instruction of the program that names lending accounts or a bank. */
const LAYOUTS: readonly InstructionLayout[] = Object.values<unknown>(programs)
  .filter(isLayout)
  .filter(({ accounts }) => accounts.some(({ name }) => name === 'bank' || ACCOUNT_NAMES.includes(name)));

/** Lending accounts that a program's calls name, in instructions and events, each once. */
export function touchedAccounts(calls: readonly ProgramCall[]): readonly Address[] {
  const named = calls.flatMap(({ instruction, events }) => [
    ...(instruction === null ? [] : accountsOfInstruction(instruction)),
    ...events.flatMap(accountsOfEvent),
  ]);
  return [...new Set(named)];
}

/** Lending accounts that an event of the program names. */
export function accountsOfEvent({ kind, fields }: P0EventFields): readonly Address[] {
  const header = 'header' in fields && 'marginfiAccount' in fields.header ? [fields.header.marginfiAccount] : [];
  switch (kind) {
    case 'accountTransferred':
      return [fields.oldAccount, ...header];
    case 'liquidated':
      return [fields.liquidateeMarginfiAccount, ...header];
    case 'receivershipEnded':
    case 'deleveraged':
      return [fields.marginfiAccount];
    case 'healthPulsed':
    case 'liquidationTagged':
      return [fields.account];
    default:
      return header;
  }
}

function accountsOfInstruction(instruction: TraceInstruction): readonly Address[] {
  const named = namedAccounts(instruction);
  return ACCOUNT_NAMES.flatMap((name) => named[name] ?? []);
}

/** Accounts of an instruction of the program by their names; none of one that names neither lending accounts nor a bank. */
export function namedAccounts({ data, accounts }: TraceInstruction): ReturnType<typeof nameAccounts> {
  const layout = LAYOUTS.find((each) => isInstructionOf(each, data));
  return layout === undefined ? {} : nameAccounts(layout, accounts);
}

function isLayout(value: unknown): value is InstructionLayout {
  return typeof value === 'object' && value !== null && 'args' in value && 'discriminator' in value;
}
