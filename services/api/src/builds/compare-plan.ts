import type { TransactionRecord } from '@lending/chain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { Envelope, EnvelopeTokenChange } from '#records/envelope-fields.ts';
import type { Difference, LandingReply, Movement } from '#records/landing-fields.ts';
import type { KnownPlan } from './find-plan.ts';
import { isSameMessage, readWire, type WireTransaction } from './read-wire.ts';

/** What a landed transaction turned out to be. */
export interface Landed {
  readonly record: TransactionRecord;
  readonly wire: WireTransaction | null;
  readonly activity: readonly Movement[];
  readonly changes: readonly EnvelopeTokenChange[];
}

/** Interest runs between a simulation and a block: this much, in parts of a thousand, is no broken promise. */
const TOLERANCE_PER_MILLE = 1n;

/**
 * Holds a landed transaction against its plan. The transaction of the action is held to its activity; what moves in the wallet only where
 * no other transaction of the plan has a part in it: setups move tokens, cranks take fees of the wallet's SOL.
 */
export function comparePlan(plan: KnownPlan, landed: Landed): NonNullable<LandingReply['plan']> {
  const { envelope, row } = plan;
  const { transactions, action_tx_index: actionIndex } = envelope;
  const found = transactions.findIndex(({ base64 }) => isOf(base64, landed.wire));
  const index = found < 0 ? null : found;
  // A wallet may have added instructions of its own; of a single transaction there is no doubt which one it was.
  const isAction = index === actionIndex || (index === null && transactions.length === 1);
  if (landed.record.isFailed || !isAction) {
    return { plan_id: row.id, transaction_index: index, compared: [], matches: null, differences: [] };
  }
  const others = transactions.filter((_, at) => at !== actionIndex);
  const holdsTokens = others.every(({ type }) => type === 'CRANK');
  const differences = [
    ...compareActivity(envelope, landed.activity),
    ...(holdsTokens ? compareChanges(envelope, landed.changes, others.length === 0) : []),
  ];
  return {
    plan_id: row.id,
    transaction_index: index,
    compared: holdsTokens ? ['activity', 'token_changes'] : ['activity'],
    matches: differences.every(({ isSmall }) => isSmall),
    differences: differences.map(({ field, promised, actual }) => ({ field, promised, actual })),
  };
}

interface Found extends Difference {
  readonly isSmall: boolean;
}

function isOf(base64: string | null, wire: WireTransaction | null): boolean {
  const promised = base64 === null || wire === null ? null : readWire(base64);
  return promised !== null && wire !== null && isSameMessage(promised, wire);
}

function compareActivity(envelope: Envelope, activity: readonly Movement[]): readonly Found[] {
  const missing = promisedMovements(envelope).filter(
    ({ kind, bank }) =>
      !activity.some((each) => each.kind === kind && each.account === envelope.account && each.bank === bank),
  );
  const actual = activity.map((movement) => `${movement.kind} on ${movement.account}`).join(', ');
  return missing.map(({ kind, bank }) => {
    const promised = [kind, ...(bank === null ? [] : [`in ${bank}`]), `on ${envelope.account}`].join(' ');
    return { field: 'activity', promised, actual: actual === '' ? 'none' : actual, isSmall: false };
  });
}

/** A loop and a close are told by their legs. */
function promisedMovements(envelope: Envelope): readonly Pick<Movement, 'kind' | 'bank'>[] {
  const { simulation, transactions, action_tx_index: index } = envelope;
  const { position, rates_after: rates } = simulation;
  const type = transactions[index]?.type;
  if (position === undefined) return [{ kind: type?.toLowerCase() ?? '', bank: rates?.bank ?? null }];
  const [deposit, borrow] = type === 'LOOP' ? ['deposit', 'borrow'] : ['withdraw', 'repay'];
  return [
    { kind: borrow ?? '', bank: position.borrow_bank },
    { kind: deposit ?? '', bank: position.deposit_bank },
  ];
}

function compareChanges(
  { simulation, swap }: Envelope,
  changes: readonly EnvelopeTokenChange[],
  isNativeCompared: boolean,
): readonly Found[] {
  const nameOf = ({ mint, is_native_sol: isNative }: EnvelopeTokenChange) => (isNative ? 'native' : mint);
  const promised = new Map(simulation.token_changes.map((each) => [nameOf(each), BigInt(each.delta_raw)]));
  const actual = new Map(changes.map((each) => [nameOf(each), BigInt(each.delta_raw)]));
  // A swap gives what the pools give then: its minimum is the promise.
  const isSlippage = (name: string, change: bigint) =>
    swap?.out_mint !== undefined &&
    (name === swap.out_mint || (name === 'native' && swap.out_mint === WRAPPED_SOL_MINT)) &&
    change >= BigInt(swap.min_out_raw) - BigInt(swap.out_raw);
  return [...new Set([...promised.keys(), ...actual.keys()])].flatMap((name) => {
    if (name === 'native' && !isNativeCompared) return [];
    const [wanted, got] = [promised.get(name) ?? 0n, actual.get(name) ?? 0n];
    if (wanted === got) return [];
    const isSmall =
      sizeOf(got - wanted) * 1_000n <= sizeOf(wanted) * TOLERANCE_PER_MILLE || isSlippage(name, got - wanted);
    return [{ field: `token_changes.${name}`, promised: String(wanted), actual: String(got), isSmall }];
  });
}

function sizeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}
