import type { LeverageDraft } from './draft-leverage.ts';

/** Drafts that land in this order, each behind the one before it, as one: its action is the last one's. One draft is itself. */
export function mergeDrafts(drafts: readonly LeverageDraft[]): LeverageDraft {
  const last = drafts.at(-1);
  if (last === undefined) throw new TypeError('There is no draft');
  const { packed, plan, simulated } = last;
  const before = drafts.slice(0, -1).reduce((count, draft) => count + draft.packed.drafts.length, 0);
  const labels = drafts.map((draft) => draft.plan.label);
  return {
    ...last,
    plan: {
      ...plan,
      label: labels.map((label, index) => (index === 0 ? label : lowerFirst(label))).join(', then '),
      rent: drafts.flatMap((draft) => draft.plan.rent),
    },
    packed: {
      ...packed,
      drafts: drafts.flatMap((draft) => draft.packed.drafts),
      actionIndex: before + packed.actionIndex,
    },
    simulated: {
      ...simulated,
      transactions: drafts.flatMap((draft) => draft.simulated.transactions),
      outcome: {
        ...simulated.outcome,
        transactions: drafts.flatMap((draft) => draft.simulated.outcome.transactions),
      },
    },
    trustWarnings: [
      ...new Map(drafts.flatMap((draft) => draft.trustWarnings.map((each) => [each.bank, each]))).values(),
    ],
    waves: drafts.reduce((sum, draft) => sum + draft.waves, 0),
  };
}

function lowerFirst(text: string): string {
  return `${text[0]?.toLowerCase()}${text.slice(1)}`;
}
