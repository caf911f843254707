import { TOKEN_PROGRAM } from '@lending/programs';
import type { SwapRoute } from '@lending/transactions';
import { AccountRole, type Address, getStructCodec, getU8Codec, getU64Codec, type Instruction } from '@solana/kit';

/** One of two tokens that change hands: of the taker, and of the pool, whose account the taker may draw on as its delegate. */
export interface TradedToken {
  readonly mint: Address;
  readonly decimals: number;
  readonly ofTaker: Address;
  readonly ofPool: Address;
}

export interface TradedAmounts {
  readonly inBase: bigint;
  /** What comes back, whatever was promised. */
  readonly outBase: bigint;
  readonly minOutBase: bigint;
  /** What lies between the two; left out where nobody asks. */
  readonly slippageBps?: number;
}

const TRANSFER_CHECKED = 12;
const transferData = getStructCodec([
  ['instruction', getU8Codec()],
  ['amount', getU64Codec()],
  ['decimals', getU8Codec()],
]);

/**
 * No aggregator and no program of one runs beside the ELF: a swap is two token transfers, to the pool and back, both signed by the taker.
 * Nothing holds the second to the least that was promised, so what follows is what notices.
 */
export function swapByTransfers(
  taker: Address,
  from: TradedToken,
  to: TradedToken,
  { inBase, outBase, minOutBase, slippageBps = 0 }: TradedAmounts,
): SwapRoute {
  return {
    quote: {
      aggregator: 'jupiter',
      inBase,
      outBase,
      minOutBase,
      slippageBps,
      priceImpactE18: 0n,
      fee: null,
      contextSlot: null,
      labels: ['two transfers'],
      requestId: null,
    },
    setup: [],
    swap: [
      transfer(from, { source: from.ofTaker, destination: from.ofPool, authority: taker, amount: inBase }),
      transfer(to, { source: to.ofPool, destination: to.ofTaker, authority: taker, amount: outBase }),
    ],
    lookupTables: [],
  };
}

interface Transfer {
  readonly source: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly amount: bigint;
}

function transfer({ mint, decimals }: TradedToken, { source, destination, authority, amount }: Transfer): Instruction {
  return {
    programAddress: TOKEN_PROGRAM,
    accounts: [
      { address: source, role: AccountRole.WRITABLE },
      { address: mint, role: AccountRole.READONLY },
      { address: destination, role: AccountRole.WRITABLE },
      { address: authority, role: AccountRole.READONLY_SIGNER },
    ],
    data: new Uint8Array(transferData.encode({ instruction: TRANSFER_CHECKED, amount, decimals })),
  };
}
