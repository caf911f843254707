import {
  endDeleverage,
  endLiquidation,
  type InstructionLayout,
  isInstructionOf,
  lendingAccountEndFlashloan,
  lendingAccountStartFlashloan,
  marginfiAccountEndExecuteOrder,
  marginfiAccountEndRebalance,
  marginfiAccountStartExecuteOrder,
  marginfiAccountStartRebalance,
  startDeleverage,
  startLiquidation,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { ActivityRebalance } from './activity.ts';
import type { ProgramCall } from './activity-calls.ts';
import { nameAccounts } from './activity-movements.ts';

type BracketKind = 'flash_loan' | 'receivership' | 'order_execution';

/** What the program holds open for one account, from one of the transaction's own instructions to another. */
export interface Bracket {
  readonly kind: BracketKind;
  readonly account: Address;
  /** Who acts for the account meanwhile; null in a flash loan, which is the authority's own. */
  readonly holder: Address | null;
  readonly first: number;
  readonly last: number;
  /** From the event at the end of a rebalance; absent elsewhere, and without logs. */
  readonly rebalance?: ActivityRebalance;
}

/** An instruction, as far as it names accounts. */
type NamingLayout = Pick<InstructionLayout, 'accounts' | 'discriminator'>;

interface BracketLayout {
  readonly kind: BracketKind;
  readonly start: NamingLayout;
  readonly end: NamingLayout;
  readonly holder: string | null;
}

const BRACKETS: readonly BracketLayout[] = [
  { kind: 'flash_loan', start: lendingAccountStartFlashloan, end: lendingAccountEndFlashloan, holder: null },
  { kind: 'receivership', start: startLiquidation, end: endLiquidation, holder: 'liquidationReceiver' },
  { kind: 'receivership', start: startDeleverage, end: endDeleverage, holder: 'riskAdmin' },
  {
    kind: 'order_execution',
    start: marginfiAccountStartExecuteOrder,
    end: marginfiAccountEndExecuteOrder,
    holder: 'executor',
  },
  // A rebalance belongs to an order, too. It moves deposits between banks; the owner pays nothing in or out.
  {
    kind: 'order_execution',
    start: marginfiAccountStartRebalance,
    end: marginfiAccountEndRebalance,
    holder: 'executor',
  },
];

/**
 * Pairs of start and end among a program's calls, each of one account. The program refuses them inside calls of other programs, and
 * a second one while one is open, so that the next end of the account is the right one.
 */
export function bracketsOf(calls: readonly ProgramCall[]): readonly Bracket[] {
  const own = calls.filter(({ innerIndex, instruction }) => innerIndex === null && instruction !== null);
  return own.flatMap((call, at) => {
    const opened = BRACKETS.find(({ start }) => isCallOf(start, call));
    if (opened === undefined) return [];
    const { marginfiAccount: account, ...named } = nameAccounts(opened.start, call.instruction?.accounts ?? []);
    if (account === undefined) return [];
    const closing = own
      .slice(at + 1)
      .find((later) => isCallOf(opened.end, later) && accountOf(opened.end, later) === account);
    if (closing === undefined) return [];
    const holder = opened.holder === null ? null : (named[opened.holder] ?? null);
    const bracket = {
      kind: opened.kind,
      account,
      holder,
      first: call.instructionIndex,
      last: closing.instructionIndex,
    };
    return [{ ...bracket, ...rebalanceOf(closing, named.rebalanceRecord ?? null) }];
  });
}

function rebalanceOf({ events }: ProgramCall, record: Address | null): Pick<Bracket, 'rebalance'> {
  const event = events.find((each) => each.kind === 'rebalanced');
  if (event === undefined) return {};
  const { order, executor, valueMoved, tipEscrowed } = event.fields;
  return { rebalance: { order, executor, record, moved: valueMoved, tipLamports: tipEscrowed, realized: null } };
}

function isCallOf(layout: NamingLayout, { instruction }: ProgramCall): boolean {
  return instruction !== null && isInstructionOf(layout, instruction.data);
}

function accountOf(layout: NamingLayout, { instruction }: ProgramCall): Address | undefined {
  return nameAccounts(layout, instruction?.accounts ?? []).marginfiAccount;
}
