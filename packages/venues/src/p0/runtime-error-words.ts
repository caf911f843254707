import { type ErrorWords, words, wronglyBuilt } from './program-error-words.ts';

/** The runtime's own endings of an instruction, as logs and as RPC spell them. */
const OUT_OF_UNITS = /exceeded CUs meter|Computational ?Budget ?Exceeded/i;
const ENDINGS: readonly (readonly [spelling: RegExp, words: ErrorWords])[] = [
  [
    OUT_OF_UNITS,
    words(
      'ACTION__TRANSACTION_EXCEEDED',
      'The transaction needs more compute units than it may use',
      'Lower `amount`, choose a more liquid pair, or pass an `account` with fewer balances',
    ),
  ],
  [
    /^insufficient ?funds/i,
    words(
      'ACTION__BALANCE_EXCEEDED',
      'An account holds too few lamports',
      'Fund the wallet with SOL, or lower `amount`; `svc_get_wallet` shows what it holds',
    ),
  ],
  [/^missing ?required ?signature/i, wronglyBuilt('An account that has to sign does not')],
  [/failed to complete|ProgramFailedToComplete/i, wronglyBuilt('A program stopped before its end')],
];

const LIMIT_EXCEEDED = words(
  'ACTION__SIMULATION_STALE',
  'The transaction took more compute units than its limit, which was learned when it was built',
  'Build again with the same call: the limit is learned again',
);
/** The most a transaction can have, less what the instructions of its budget take before a program says how many there are. */
const MOST_UNITS_LOGGED = 1_390_000;
const CONSUMED = /^Program \w+ consumed \d+ of (\d+) compute units$/;

/** Words for an instruction that the runtime ended, not the program; null for an ending that says too little. */
export function runtimeErrorWords(reason: string): ErrorWords | null {
  return ENDINGS.find(([spelling]) => spelling.test(reason))?.[1] ?? null;
}

/** Words for one that ended at the transaction's own limit of units, below what any may have; null for every other ending. */
export function limitErrorWords(reason: string, logs: readonly string[]): ErrorWords | null {
  const given = logs.flatMap((line) => CONSUMED.exec(line)?.[1] ?? []).map(Number);
  const isBelowMost = given.length > 0 && Math.max(...given) < MOST_UNITS_LOGGED;
  return OUT_OF_UNITS.test(reason) && isBelowMost ? LIMIT_EXCEEDED : null;
}
