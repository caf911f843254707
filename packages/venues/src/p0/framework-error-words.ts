import { type ErrorWords, movedOn, words, wronglyBuilt } from './program-error-words.ts';

const NO_ACCOUNT = words(
  'READ__ACCOUNT_NOT_FOUND',
  'The lending account does not exist, or no longer does',
  'Pass another `account`, or open one with `svc_create_account`',
);

/** Numbers of the framework that calls meet, of Anchor's `ErrorCode`. */
const BY_NUMBER: Readonly<Record<number, ErrorWords>> = {
  101: wronglyBuilt('The program has no such instruction: it is of another version than expected'),
  102: wronglyBuilt('The program does not read the arguments: it is of another version than expected'),
  2001: wronglyBuilt('An account names another account than the one that was passed'),
  2003: wronglyBuilt('An account does not meet a condition of the instruction'),
  2006: wronglyBuilt('An account is not at the address derived for it'),
  2012: wronglyBuilt('An account is not the one that the program expects'),
  3001: movedOn('An account holds no data of the kind that the program expects'),
  3002: movedOn('An account is of another kind than the program expects'),
  3005: wronglyBuilt('Accounts are missing at the end of the list'),
  3007: movedOn('An account belongs to another program than expected'),
  3008: wronglyBuilt('Another program was passed than the one to be called'),
  3010: words(
    'ACTION__SIMULATION_INVALID',
    'An account that has to sign does not',
    'Sign with the wallet that was passed as `authority`',
  ),
  3012: words(
    'ACTION__SIMULATION_INVALID',
    'An account does not exist yet, most often the wallet’s token account',
    'Fund the wallet with the token of `bank` first; `svc_get_wallet` shows what it holds',
    { deposit: 'ACTION__BALANCE_EXCEEDED', repay: 'ACTION__BALANCE_EXCEEDED' },
  ),
};

/** Hundreds and thousands that belong together; anything below 6000 is the framework's. */
const BY_RANGE: readonly (readonly [from: number, to: number, words: ErrorWords])[] = [
  [100, 999, wronglyBuilt('The program does not understand the instruction')],
  [1000, 1999, wronglyBuilt('The instruction is one of the framework’s own, which the program does not answer')],
  [2000, 2499, wronglyBuilt('An account does not meet a condition of the instruction')],
  [2500, 2999, wronglyBuilt('A condition inside the instruction is not met')],
  [3000, 3999, wronglyBuilt('An account cannot be read as what it should be')],
  [4000, 5999, wronglyBuilt('The program was put together or called in a way it does not allow')],
];

/** Which numbers are the framework's, whatever the program. */
export function isFrameworkError(code: number): boolean {
  return code >= 100 && code < 6_000;
}

/**
 * Words for a number of the framework.
 * @param account the account of the instruction that the framework complained about, by the program's name for it.
 */
export function frameworkErrorWords(code: number, account: string | null): ErrorWords | null {
  if (account === 'marginfi_account' && [3001, 3007, 3012].includes(code)) return NO_ACCOUNT;
  return BY_NUMBER[code] ?? BY_RANGE.find(([from, to]) => code >= from && code <= to)?.[2] ?? null;
}
