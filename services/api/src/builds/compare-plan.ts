import type { TransactionRecord } from '@lending/chain';
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
  const kind = envelope.transactions[envelope.action_tx_index]?.type.toLowerCase() ?? '';
  const bank = envelope.simulation.rates_after?.bank ?? null;
  const isThere = activity.some(
    (movement) => movement.kind === kind && movement.account === envelope.account && movement.bank === bank,
  );
  if (isThere) return [];
  const promised = [kind, ...(bank === null ? [] : [`in ${bank}`]), `on ${envelope.account}`].join(' ');
  const actual = activity.map((movement) => `${movement.kind} on ${movement.account}`).join(', ');
  return [{ field: 'activity', promised, actual: actual === '' ? 'none' : actual, isSmall: false }];
}

function compareChanges(
  { simulation }: Envelope,
  changes: readonly EnvelopeTokenChange[],
  isNativeCompared: boolean,
): readonly Found[] {
  const nameOf = ({ mint, is_native_sol: isNative }: EnvelopeTokenChange) => (isNative ? 'native' : mint);
  const promised = new Map(simulation.token_changes.map((each) => [nameOf(each), BigInt(each.delta_raw)]));
  const actual = new Map(changes.map((each) => [nameOf(each), BigInt(each.delta_raw)]));
  return [...new Set([...promised.keys(), ...actual.keys()])].flatMap((name) => {
    if (name === 'native' && !isNativeCompared) return [];
    const [wanted, got] = [promised.get(name) ?? 0n, actual.get(name) ?? 0n];
    if (wanted === got) return [];
    const isSmall = sizeOf(got - wanted) * 1_000n <= sizeOf(wanted) * TOLERANCE_PER_MILLE;
    return [{ field: `token_changes.${name}`, promised: String(wanted), actual: String(got), isSmall }];
  });
}

function sizeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}
