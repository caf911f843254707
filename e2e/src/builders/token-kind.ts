import type { Ledger } from '@lending/localnet';
import { TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '@lending/programs';
import { type P0Bank, readTransferFee } from '@lending/venues';

/** Later than any change of a fee that a mint has planned. */
const LATEST_EPOCH = 1_000_000n;

/** What a wallet has to do differently for. */
export const TOKEN_KINDS = ['SOL', 'SPL', 'Token-2022', 'Token-2022 with fee'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export function tokenKindOf(ledger: Ledger, { mint }: Pick<P0Bank, 'mint'>): TokenKind {
  if (mint === WRAPPED_SOL_MINT) return 'SOL';
  const state = ledger.account(mint);
  if (state === undefined) throw new TypeError(`There is no mint ${mint}`);
  if (state.owner !== TOKEN_2022_PROGRAM) return 'SPL';
  return readTransferFee({ address: mint, ...state }, LATEST_EPOCH) === null ? 'Token-2022' : 'Token-2022 with fee';
}
