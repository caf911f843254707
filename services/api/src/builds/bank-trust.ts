import { LendingError } from '@lending/errors';
import { type ActionState, sidesOf } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { OverruledUntil } from '#reads/audit-overrule.ts';
import type { AuditedBank, AuditSnapshot } from '#reads/audit-set.ts';
import type { BuildWarning } from './build.ts';
import type { BuildRequest } from './build-request.ts';

export interface TrustQuestion {
  readonly kind: BuildRequest['kind'];
  readonly state: Pick<ActionState, 'account' | 'held'>;
  /** Banks that the action moves tokens of. */
  readonly acted: readonly Address[];
  readonly audits: AuditSnapshot;
  readonly overruledUntil: OverruledUntil;
}

/**
 * Whether an action that a bank's figures decide about is to be refused, because they disagree with the program's own.
 * What adds to a debt, or takes away what stands behind one, is sized by these figures and is refused; what lowers the risk goes on.
 * Other banks that the account holds refuse nothing: the simulation decides with the program's own figures whether it is healthy enough, and
 * only what is shown of it may be off, as `trustWarnings` says.
 * @returns the error with the figures that disagree; null where it goes on.
 */
export function findTrustRefusal(question: TrustQuestion): LendingError | null {
  if (!isDecidedByFigures(question)) return null;
  const refused = question.acted.flatMap((bank) => {
    const audited = question.audits.get(bank);
    return isUnverified(audited) && question.overruledUntil(bank) === null ? [audited] : [];
  });
  const [first] = refused;
  if (first === undefined) return null;
  return new LendingError('ACTION__BANK_UNVERIFIED', {
    message: `The service’s figures of this bank (${figuresOf(first)}) disagree with the program’s own — allowed: deposit, repay, close_position, and withdrawals from accounts without debt — choose another bank, or report details.residuals to the operator`,
    context: { bank: first.bank, residuals: refused.flatMap(residualsOf) },
  });
}

/** What to know of banks whose figures disagree, where the action goes on: those that it acts on, then others that the account holds. */
export function trustWarnings({
  state,
  acted,
  audits,
  overruledUntil,
}: Omit<TrustQuestion, 'kind'>): readonly BuildWarning[] {
  return [...new Set([...acted, ...state.held.keys()])].flatMap((bank) => {
    const audited = audits.get(bank);
    if (!isUnverified(audited)) return [];
    const untilMs = acted.includes(bank) ? overruledUntil(bank) : null;
    const because = untilMs === null ? '' : `; an operator has it built for until ${new Date(untilMs).toISOString()}`;
    return [
      {
        level: 'warning' as const,
        code: 'BANK_UNVERIFIED',
        message: `The service’s figures of this bank (${figuresOf(audited)}) disagree with the program’s own${because}: what is shown of health, rates and room may be off`,
        bank,
      },
    ];
  });
}

function isDecidedByFigures({ kind, state }: Pick<TrustQuestion, 'kind' | 'state'>): boolean {
  // A withdrawal pays no debt: whatever is owed before it is owed after it.
  return kind === 'borrow' || kind === 'loop' || (kind === 'withdraw' && sidesOf(state).debt.length > 0);
}

function isUnverified(audited: AuditedBank | undefined): audited is AuditedBank {
  return audited !== undefined && audited.unverified.length > 0;
}

function figuresOf({ unverified }: AuditedBank): string {
  return unverified.map(({ figure }) => figure).join(', ');
}

/** Whole numbers as text, in raw units of the field. */
function residualsOf({ bank, unverified }: AuditedBank) {
  return unverified.map(({ figure, unverified_since: since, last_difference: difference }) => ({
    bank,
    figure,
    field: difference?.field ?? null,
    ours: difference?.ours ?? null,
    theirs: difference?.theirs ?? null,
    bound: difference?.bound ?? null,
    slot: Number(difference?.slot ?? since),
  }));
}
