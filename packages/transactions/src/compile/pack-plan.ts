import { LendingError } from '@lending/errors';
import type { Instruction } from '@solana/kit';
import type { CrankTransaction } from '#cranks/cranker.ts';
import type { ActionPlan } from '#plan/action-plan.ts';
import { measureTransaction, type TransactionSize, transactionTooLarge } from './measure-transaction.ts';
import { sizeAdvice } from './size-advice.ts';
import { tipInstruction } from './tip.ts';
import type { MessageOptions, TransactionDraft } from './transaction-draft.ts';

/** Block builders take no longer bundles, and nobody signs longer lists. */
export const MAX_TRANSACTIONS = 5;

export interface PackOptions extends MessageOptions {
  /** What a bundle pays; nothing is paid without one. */
  readonly tipLamports: bigint;
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
}

/**
 * Spreads a plan over as few transactions as it fits into: all of it in one; what may land earlier in a transaction before it; at last
 * the refreshes too, which only a bundle keeps in the action's slot. A setup that is bound to its action is never apart from it but in a
 * bundle. Cranks have transactions of their own in any case.
 * @throws ACTION__TRANSACTION_EXCEEDED saying by how many bytes, or that it takes more than five.
 */
export function packPlan(plan: ActionPlan, cranks: readonly CrankTransaction[], options: PackOptions): PackedPlan {
  const { type, label, setup, isSetupBound, refresh, action, cleanup } = plan;
  const cranking = cranks.map(toDraft);
  const sizeOf = createSizeOf(options);
  const acting = (...instructions: Instruction[]): TransactionDraft => ({ type, label, instructions });

  const whole = acting(...setup, ...refresh, ...action, ...cleanup);
  if (sizeOf(whole).fits) return finish([...cranking, whole], 'sequential', options, sizeOf);

  const tip = tipInstruction(options.payer, options.tipLamports);
  const inOneSlot = acting(...refresh, ...action, ...cleanup, ...(isSetupBound ? [tip] : []));
  // Cranks stand right before the action: they are good for tens of seconds.
  if (sizeOf(inOneSlot).fits) {
    const drafts = [...spread(setup, sizeOf), ...cranking, inOneSlot];
    return finish(drafts, isSetupBound ? 'bundle' : 'sequential', options, sizeOf);
  }
  const tipped = acting(...action, ...cleanup, tip);
  return finish([...cranking, ...spread([...setup, ...refresh], sizeOf), tipped], 'bundle', options, sizeOf);
}

type SizeOf = (draft: TransactionDraft) => TransactionSize;

/** Measuring is compiling: each draft is measured once. */
function createSizeOf(options: MessageOptions): SizeOf {
  const sizes = new Map<TransactionDraft, TransactionSize>();
  return (draft) => {
    const size = sizes.get(draft) ?? measureTransaction(draft, options);
    sizes.set(draft, size);
    return size;
  };
}

function finish(
  drafts: readonly TransactionDraft[],
  submit: PackedPlan['submit'],
  options: PackOptions,
  sizeOf: SizeOf,
): PackedPlan {
  for (const draft of drafts) {
    const size = sizeOf(draft);
    if (!size.fits) throw transactionTooLarge(draft, size, options);
  }
  if (drafts.length > MAX_TRANSACTIONS) throw tooMany(drafts.at(-1)?.type ?? 'SETUP', drafts.length, options);
  const tipLamports = submit === 'bundle' ? options.tipLamports : 0n;
  return { drafts, submit, actionIndex: drafts.length - 1, tipLamports };
}

function toDraft({ feeds, instructions, lookupTables }: CrankTransaction): TransactionDraft {
  const label = feeds.length === 1 ? 'Update an oracle price' : `Update ${feeds.length} oracle prices`;
  return { type: 'CRANK', label, instructions, lookupTables };
}

/** In order, each transaction as full as it gets. */
function spread(instructions: readonly Instruction[], sizeOf: SizeOf): readonly TransactionDraft[] {
  const drafts: TransactionDraft[] = [];
  for (const instruction of instructions) {
    const last = drafts.at(-1);
    const longer = preparing([...(last?.instructions ?? []), instruction]);
    if (last !== undefined && sizeOf(longer).fits) drafts[drafts.length - 1] = longer;
    else drafts.push(preparing([instruction]));
  }
  return drafts;
}

function preparing(instructions: readonly Instruction[]): TransactionDraft {
  return { type: 'SETUP', label: 'Prepare accounts', instructions };
}

function tooMany(type: ActionPlan['type'], count: number, { version }: PackOptions): LendingError {
  const advice = sizeAdvice(type, version, { isOverBytes: true });
  return new LendingError('ACTION__TRANSACTION_EXCEEDED', {
    message: `It takes ${count} transactions, and ${MAX_TRANSACTIONS} are the most that land together. ${advice}`,
    context: {
      transactions: count,
      max_transactions: MAX_TRANSACTIONS,
      bytes_over: null,
      transaction_version: version,
    },
  });
}
