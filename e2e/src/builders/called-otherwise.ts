/** What the chain says of a request that was refused, and what that is in our codes; null where it is none. */
interface ChainsWord {
  readonly code: string | null;
  /** The runtime's error as JSON. */
  readonly error: string;
}

/** Refusals that the chain has another word for, each with the reason. Any other difference is a mistake in one of the two. */
const CALLED_OTHERWISE: readonly { readonly ours: string; readonly chain: RegExp; readonly why: string }[] = [
  { ours: 'BANK_PAUSED', chain: /"Custom":101\}/, why: 'the local chain has no instructions for Drift' },
  {
    ours: 'INSUFFICIENT_BALANCE',
    chain: /InsufficientFundsFor(Fee|Rent)/,
    why: 'no program failed: the wallet cannot pay',
  },
  {
    ours: 'INSUFFICIENT_BALANCE',
    chain: /IncorrectProgramId|InvalidAccountData|"Custom":3012\}/,
    why: 'the wallet has no account of the token, so there is nothing to hold too little',
  },
  {
    ours: 'ORACLE_STALE',
    chain: /"Custom":6009\}/,
    why: 'collateral with an old price counts nothing, and the program only says the sum',
  },
  { ours: 'ORACLE_STALE', chain: /"Custom":42\}/, why: "Save's own refresh looks at its oracle first" },
  {
    ours: 'DEPOSIT_LIMIT_EXCEEDED',
    chain: /"Custom":6030\}/,
    why: 'JupLend mints nothing for what is left of the room',
  },
  {
    ours: 'BANK_NOT_BORROWABLE',
    chain: /"Custom":(6047|6018|6200)\}/,
    why: 'the program first finds a tag, or a debt, that cannot be',
  },
];

/** Whether the difference between our code and the chain's word is a known one. */
export function isCalledOtherwise(ours: string, { error }: ChainsWord): boolean {
  return CALLED_OTHERWISE.some((known) => known.ours === ours && known.chain.test(error));
}
