import { createHash } from 'node:crypto';
import { findSwapAuthority } from '@lending/localnet';
import { TOKEN_PROGRAM } from '@lending/programs';
import type { SwapFinder, SwapRequest, SwapRoute } from '@lending/transactions';
import type { P0Bank } from '@lending/venues';
import {
  AccountRole,
  type Address,
  getAddressDecoder,
  getStructCodec,
  getU8Codec,
  getU64Codec,
  type Instruction,
} from '@solana/kit';
import { tokenAccount } from '../builders/accounts.ts';
import type { BuildersWorld } from '../builders/world.ts';

/** More base units than any test trades. */
const LIQUIDITY = 10n ** 17n;
const ONE_BPS = 10_000n;
const TRANSFER_CHECKED = 12;
const transferData = getStructCodec([
  ['instruction', getU8Codec()],
  ['amount', getU64Codec()],
  ['decimals', getU8Codec()],
]);

type Market = Pick<BuildersWorld, 'ledger' | 'banks' | 'settle'>;

/**
 * An aggregator that knows one pool for each wallet and quotes what the oracles say. No program of an aggregator runs beside the lending
 * program: a swap is two token transfers, to the pool and back, both signed by the taker, who is the delegate of what the pool has. Nothing
 * holds the second to the least that was promised, so what follows is what notices.
 * @param short base units that the pool gives less than the least it promised.
 */
export function createPoolSwaps(market: Market, short: () => bigint): SwapFinder {
  return {
    async find(request) {
      const { taker, inMint, outMint, source, destination, slippageBps } = request;
      const promised = tradeFor(request);
      const given = short() === 0n ? promised.outBase : promised.minOutBase - short();
      const [from, to] = [poolOf(market, inMint, taker), poolOf(market, outMint, taker)];
      const route: SwapRoute = {
        quote: {
          ...promised,
          aggregator: 'jupiter',
          slippageBps,
          priceImpactE18: 0n,
          fee: null,
          contextSlot: null,
          labels: ['two transfers'],
          requestId: null,
        },
        setup: [],
        swap: [
          transfer(from, taker, [source, from.address], promised.inBase),
          transfer(to, taker, [to.address, destination], given),
        ],
        lookupTables: [],
      };
      const fit = await request.fit(route);
      if (fit.kind === 'too_large') throw fit.error;
      const { inBase, outBase } = promised;
      const tried = [{ aggregator: 'jupiter', outcome: 'chosen', reason: null, inBase, outBase }] as const;
      return { route, tried, lossBps: 0 };
    },
  };
}

/** As much of the input as gives what is needed, whatever the slippage takes. */
function tradeFor({ inBase: guess, neededOut, slippageBps, fairOut }: SwapRequest) {
  const least = (inBase: bigint) => (fairOut(inBase) * (ONE_BPS - BigInt(slippageBps))) / ONE_BPS;
  const guessed = least(guess);
  const inBase = guessed >= neededOut ? guess : (guess * neededOut) / guessed + 1n;
  return { inBase, outBase: fairOut(inBase), minOutBase: least(inBase) };
}

interface Pool {
  readonly address: Address;
  readonly bank: P0Bank;
}

/** An account has one delegate, so every wallet has pools of its own. What is opened stands where simulations see it. */
function poolOf({ ledger, banks, settle }: Market, mint: Address, taker: Address): Pool {
  const address = getAddressDecoder().decode(createHash('sha256').update(`pool ${mint} ${taker}`).digest());
  const bank = banks.find((each) => each.mint === mint);
  if (bank === undefined) throw new TypeError(`No bank has tokens of ${mint}`);
  if (ledger.account(address) === undefined) {
    const tokens = { amountBase: LIQUIDITY, delegate: taker };
    ledger.writeAccount(address, tokenAccount(ledger, bank, findSwapAuthority().address, tokens));
    settle();
  }
  return { address, bank };
}

function transfer(
  { bank: { mint, decimals } }: Pool,
  authority: Address,
  [source, destination]: readonly [Address, Address],
  amount: bigint,
): Instruction {
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
