import type { Address, Instruction } from '@solana/kit';
import { associatedAccountOf, ensureAssociatedAccount } from '#market/lending-instructions.ts';
import { SWAP_LOOKUP_TABLE, SWAP_TABLE_ADDRESSES } from '#market/swap-table.ts';
import { routeInstruction, type SwapToken } from '#programs/swap/swap-instruction.ts';
import type { SwapOffer, TradedToken } from './make-offer.ts';

/** The instructions of an offer, by what they are for. */
export interface OfferInstructions {
  readonly setup: readonly Instruction[];
  readonly swap: Instruction;
  readonly other: readonly Instruction[];
  /** The tables that make it small, and what the aggregator says is in them. */
  readonly lookupTables: Readonly<Record<Address, readonly Address[]>>;
}

/** What the taker would sign for an offer. */
export function instructionsOf(offer: SwapOffer, wallet: Address): OfferInstructions {
  const sides = [offer.from, offer.to].map(({ mint, tokenProgram }) => ({ owner: wallet, mint, tokenProgram }));
  const { feeBps, extraAccounts } = offer.route;
  return {
    setup: sides.map((holding) => ensureAssociatedAccount(wallet, holding)),
    swap: routeInstruction(wallet, accountOf(wallet, offer.from), accountOf(wallet, offer.to), {
      amountIn: offer.inBase,
      minimumOut: offer.minOutBase,
      feeBps,
      extraAccounts,
    }),
    other: [],
    lookupTables: { [SWAP_LOOKUP_TABLE]: SWAP_TABLE_ADDRESSES },
  };
}

/** The taker's associated account of a token. */
function accountOf(wallet: Address, { mint, tokenProgram, oracle }: TradedToken): SwapToken {
  return { mint, tokenProgram, oracle, account: associatedAccountOf({ owner: wallet, mint, tokenProgram }) };
}
