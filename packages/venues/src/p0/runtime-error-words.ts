import { type ErrorWords, words, wronglyBuilt } from './program-error-words.ts';

/** The runtime's own endings of an instruction, as logs and as RPC spell them. */
const ENDINGS: readonly (readonly [spelling: RegExp, words: ErrorWords])[] = [
  [
    /exceeded CUs meter|Computational ?Budget ?Exceeded/i,
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

/** Words for an instruction that the runtime ended, not the program; null for an ending that says too little. */
export function runtimeErrorWords(reason: string): ErrorWords | null {
  return ENDINGS.find(([spelling]) => spelling.test(reason))?.[1] ?? null;
}
