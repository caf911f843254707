import type { ForeignErrorName, ProgramErrorName } from '@lending/domain';
import type { ErrorCode } from '@lending/errors';
import { TOKEN_PROGRAM } from '@lending/programs';
import { MARGINFI_ERROR_WORDS } from './marginfi-error-words.ts';
import { otherProgramWords } from './other-program-words.ts';
import { brokenBank, type ErrorWords, type RefusedAction } from './program-error-words.ts';
import { runtimeErrorWords } from './runtime-error-words.ts';

/** What is said of a refusal: the same code, whether we found it or the chain tells. */
export interface RefusalWords {
  readonly code: ErrorCode;
  /** What was wrong; no full stop. */
  readonly problem: string;
  /** The next step with the field or tool that takes it; no full stop. */
  readonly change: string;
  /** What a caller finds under `details` besides. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const INSUFFICIENT_FUNDS = 1;
const ACCOUNT_FROZEN = 17;
const UNREADABLE = brokenBank('An oracle account of the bank cannot be read');
const FOREIGN: Readonly<Record<ForeignErrorName, ErrorWords>> = {
  BorshIoError: UNREADABLE,
  InsufficientFunds: otherProgramWords(TOKEN_PROGRAM, INSUFFICIENT_FUNDS, []),
  ProgramFailedToComplete: runtimeErrorWords('ProgramFailedToComplete') ?? UNREADABLE,
};

/** A token account that its issuer froze: nothing goes in or out. */
export const FROZEN_TOKEN_WORDS: RefusalWords = otherProgramWords(TOKEN_PROGRAM, ACCOUNT_FROZEN, []);

/** The words for an error that a transaction would end in, as `explainProgramError` finds them once it has. */
export function refusalWordsOf(error: ProgramErrorName, action: RefusedAction): RefusalWords {
  const {
    code,
    byAction,
    problem,
    change,
    details = {},
  } = isForeign(error) ? FOREIGN[error] : MARGINFI_ERROR_WORDS[error];
  return { code: byAction?.[action] ?? code, problem, change, details };
}

function isForeign(error: ProgramErrorName): error is ForeignErrorName {
  return Object.hasOwn(FOREIGN, error);
}
