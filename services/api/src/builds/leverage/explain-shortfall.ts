import type { LendingError } from '@lending/errors';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { unkept } from '../outcome/verify-swap.ts';
import type { LeverageDraft } from './draft-leverage.ts';

type Failed = Extract<LeverageDraft['simulated']['outcome'], { readonly kind: 'failed' }>;

/** Both token programs': an account holds less than is to be moved. */
const INSUFFICIENT_FUNDS = 1;

/**
 * What a failed simulation shows of its swap: nothing behind it moves more than the principal, which was checked, and what the swap gives at
 * the least, so that an account that holds too little there got too little of the swap.
 * @param failure what the simulation's failure is by itself.
 * @returns the failure itself where it is none of that.
 */
export function explainShortfall(draft: LeverageDraft, outcome: Failed, failure: LendingError): LendingError {
  const { sized } = draft;
  if (sized.swap === null || !isTooLittle(failure) || !isBehindSwap(draft, outcome)) return failure;
  const words = 'it gives less than its minimum';
  return unkept(sized, { check: 'destination', words }, failure.context);
}

function isTooLittle({ context }: LendingError): boolean {
  const { program, number } = (context.cause ?? {}) as { readonly program?: unknown; readonly number?: unknown };
  // A log that was cut off names no program.
  const isToken = program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM || program === null;
  return isToken && number === INSUFFICIENT_FUNDS;
}

function isBehindSwap({ packed, sized, simulated }: LeverageDraft, { index, error }: Failed): boolean {
  const [draft, transaction] = [packed.drafts[index], simulated.transactions[index]];
  const swap = sized.swap?.swap.at(-1);
  if (error === null || index !== packed.actionIndex || !draft || !transaction || !swap) return false;
  // The compute budget stands before the draft's own: a limit, and a price where one is paid. Version 1 has it in the header.
  const budget = transaction.version === 1 ? 0 : transaction.priorityFeeLamports > 0n ? 2 : 1;
  return Number(error[0]) > draft.instructions.indexOf(swap) + budget;
}
