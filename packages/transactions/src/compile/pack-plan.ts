import { LendingError } from '@lending/errors';
import { SYSTEM_PROGRAM } from '@lending/programs';
import type { Instruction } from '@solana/kit';
import type { CrankTransaction } from '#cranks/cranker.ts';
import type { ActionPlan } from '#plan/action-plan.ts';
import { compileIfItFits } from './compile-transaction.ts';
import { NO_BLOCKHASH } from './compiled-transaction.ts';
import { MAX_COMPUTE_UNITS } from './limit-memory.ts';
import { measureTransaction, transactionTooLarge } from './measure-transaction.ts';
import { sizeAdvice } from './size-advice.ts';
import { tipInstruction } from './tip.ts';
import type { MessageOptions, TransactionDraft } from './transaction-draft.ts';

/** Block builders take no longer bundles, and nobody signs longer lists. */
export const MAX_TRANSACTIONS = 5;

export interface PackOptions extends MessageOptions {
  /** What a bundle pays; nothing is paid without one. */
  readonly tipLamports: bigint;
  /**
   * The limit that a draft is going to be simulated with, as far as it is known: whether it fits is told by writing it down, and with
   * that limit it is written down once. Any limit takes the same bytes.
   */
  readonly limitOf?: (draft: TransactionDraft) => number | null;
  /** How many balances the account has, for a refusal to say: the program is given the accounts of each. */
  readonly balances?: number;
  /** The plan is one of several that land as one bundle: default, it stands alone. */
  readonly inBundle?: BundlePlace;
}

/** Where a plan stands in a bundle of several. */
export interface BundlePlace {
  /** Transactions of the plans before it. */
  readonly before: number;
  /** The last one pays the tip. */
  readonly isLast: boolean;
}

/** A plan as transactions, in the order they land. */
export interface PackedPlan {
  readonly drafts: readonly TransactionDraft[];
  /** `bundle`: all of them in one slot or none. */
  readonly submit: 'sequential' | 'bundle';
  /** Which of the drafts is the action. */
  readonly actionIndex: number;
  /** Lamports in the last transaction; zero without a bundle. */
  readonly tipLamports: bigint;
  /** Whether the action's transaction has the plan's pulse in it. */
  readonly isPulsed: boolean;
}

/**
 * Spreads a plan over as few transactions as it fits into: all of it in one; what may land earlier in a transaction before it; at last
 * the refreshes too, which only a bundle keeps in the action's slot. A setup that is bound to its action is never apart from it but in a
 * bundle. Cranks have transactions of their own in any case. A pulse is taken in where it and all its refreshes fit beside the action,
 * and it does not part SOL that is wrapped for the action from it.
 * A plan that stands in a bundle with others is always of one, and pays a tip where it is the last.
 * @throws ACTION__TRANSACTION_EXCEEDED saying by how many bytes, or that it takes more than five.
 */
export function packPlan(plan: ActionPlan, cranks: readonly CrankTransaction[], options: PackOptions): PackedPlan {
  const { type, label, setup, isSetupBound, pulse } = plan;
  const cranking = cranks.map(toDraft);
  const fits = createFits(options);
  const acting = (...instructions: Instruction[]): TransactionDraft => ({ type, label, instructions });
  const { isLast, submit } = bundleOf(options);
  const tip = isLast ? [tipInstruction(options.payer, options.tipLamports)] : [];
  const inSlot = ({ refresh, action, cleanup }: Acting) =>
    acting(...refresh, ...action, ...cleanup, ...(isSetupBound ? tip : []));

  const pulsed =
    pulse === null ? null : { ...plan, refresh: pulse.refresh, action: [...plan.action, pulse.instruction] };
  const inOne = ({ refresh, action, cleanup }: Acting) =>
    acting(...setup, ...refresh, ...action, ...cleanup, ...(submit === 'bundle' ? tip : []));
  // SOL that is wrapped in a transaction before stays wrapped where the action then fails.
  const isApart = (form: Acting) => wrapsSol(plan) && !fits(inOne(form)) && fits(inOne(plan));
  const isPulsed = pulsed !== null && fits(inSlot(pulsed)) && !isApart(pulsed);
  const { refresh, action, cleanup } = isPulsed ? pulsed : plan;
  const whole = inOne({ refresh, action, cleanup });
  if (fits(whole)) return { ...finish([...cranking, whole], submit, options, fits), isPulsed };

  const inOneSlot = inSlot({ refresh, action, cleanup });
  // Cranks stand right before the action: they are good for tens of seconds.
  if (fits(inOneSlot)) {
    const drafts = [...spread(setup, fits), ...cranking, inOneSlot];
    return { ...finish(drafts, isSetupBound ? 'bundle' : 'sequential', options, fits), isPulsed };
  }
  const tipped = acting(...action, ...cleanup, ...tip);
  const drafts = [...cranking, ...spread([...setup, ...refresh], fits), tipped];
  return { ...finish(drafts, 'bundle', options, fits), isPulsed };
}

/** A plan that stands alone is the last of its own bundle, if it takes one. */
function bundleOf({ inBundle }: PackOptions) {
  return { isLast: inBundle?.isLast ?? true, submit: inBundle === undefined ? 'sequential' : 'bundle' } as const;
}

/** Lamports are sent into a token account by the system program, and nothing else of a setup is its. */
function wrapsSol({ setup }: ActionPlan): boolean {
  return setup.some(({ programAddress }) => programAddress === SYSTEM_PROGRAM);
}

type Acting = Pick<ActionPlan, 'refresh' | 'action' | 'cleanup'>;

type Fits = (draft: TransactionDraft) => boolean;

/** Each draft is written down once. */
function createFits({ limitOf = () => null, ...message }: PackOptions): Fits {
  const known = new Map<TransactionDraft, boolean>();
  return (draft) => {
    const computeUnitLimit = limitOf(draft) ?? MAX_COMPUTE_UNITS;
    const fits =
      known.get(draft) ?? compileIfItFits(draft, { ...message, computeUnitLimit, blockhash: NO_BLOCKHASH }) !== null;
    known.set(draft, fits);
    return fits;
  };
}

function finish(
  drafts: readonly TransactionDraft[],
  submit: PackedPlan['submit'],
  options: PackOptions,
  fits: Fits,
): Omit<PackedPlan, 'isPulsed'> {
  for (const draft of drafts) {
    if (!fits(draft)) throw transactionTooLarge(draft, measureTransaction(draft, options), options);
  }
  const count = drafts.length + (options.inBundle?.before ?? 0);
  if (count > MAX_TRANSACTIONS) throw tooMany(drafts.at(-1)?.type ?? 'SETUP', count, options);
  const tipLamports = submit === 'bundle' && bundleOf(options).isLast ? options.tipLamports : 0n;
  return { drafts, submit, actionIndex: drafts.length - 1, tipLamports };
}

function toDraft({ feeds, instructions, lookupTables }: CrankTransaction): TransactionDraft {
  const label = feeds.length === 1 ? 'Update an oracle price' : `Update ${feeds.length} oracle prices`;
  return { type: 'CRANK', label, instructions, lookupTables };
}

/** In order, each transaction as full as it gets. */
function spread(instructions: readonly Instruction[], fits: Fits): readonly TransactionDraft[] {
  const drafts: TransactionDraft[] = [];
  for (const instruction of instructions) {
    const last = drafts.at(-1);
    const longer = preparing([...(last?.instructions ?? []), instruction]);
    if (last !== undefined && fits(longer)) drafts[drafts.length - 1] = longer;
    else drafts.push(preparing([instruction]));
  }
  return drafts;
}

function preparing(instructions: readonly Instruction[]): TransactionDraft {
  return { type: 'SETUP', label: 'Prepare accounts', instructions };
}

function tooMany(type: ActionPlan['type'], count: number, { version, balances }: PackOptions): LendingError {
  const advice = sizeAdvice(type, version, { isOverBytes: true });
  return new LendingError('ACTION__TRANSACTION_EXCEEDED', {
    message: `It takes ${count} transactions, and ${MAX_TRANSACTIONS} are the most that land together. ${advice}`,
    context: {
      transactions: count,
      max_transactions: MAX_TRANSACTIONS,
      bytes_over: null,
      transaction_version: version,
      ...(balances !== undefined && { balances }),
    },
  });
}
