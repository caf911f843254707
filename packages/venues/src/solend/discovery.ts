import { placeOf, SOLEND_PROGRAM, solendLendingMarketLayout, solendReserveLayout } from '@lending/programs';
import { type Address, address, getAddressCodec } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import { readEach } from '../read-each.ts';
import type { ReserveKeys } from '../reserve.ts';
import type { ListAccounts } from '../venue-adapter.ts';
import { LIVE_VERSION } from './decode-reserve.ts';

/**
 * Who owns the markets that count: anyone may open one, and most are dead or somebody's play.
 * @see @solendprotocol/solend-sdk 0.14.27 core/constants
 */
const TRUSTED_OWNERS: readonly Address[] = [
  address('5pHk2TmnqQzRF9L6egy5FfiyBgS7G9cMZ5RFaJAvghzw'),
  address('yaDPAockQPna7Srx5LB2TugJSKHUduHghyZdQcn7zYz'),
  address('81KTtWjRndxGQbJHGJq6EaJWL8JfXbyywVvZReVPQd1X'),
  address('GDmSxpPzLkfxxr6dHLNRnCoYVGzvgc41tozkrr4pHTjB'),
];
/** A reserve begins with version and last update; then come its market and its mint. */
const MARKET_OFFSET = placeOf(solendReserveLayout, 'lendingMarket').offset;
const MINT_OFFSET = placeOf(solendReserveLayout, 'liquidity.mintPubkey').offset;
const KEYS_END = MINT_OFFSET + 32;
const KEYS_SHAPE = {
  kind: 'Save reserve',
  owner: SOLEND_PROGRAM,
  discriminator: LIVE_VERSION,
  size: KEYS_END,
};
const addressCodec = getAddressCodec();
const live = { kind: 'content', offset: 0, bytes: LIVE_VERSION } as const;

/**
 * The reserves of the trusted owners' markets, in the order of their addresses. All the program's reserves are listed at once, cut to
 * their keys: that is one call instead of one for each market.
 */
export async function discoverReserves(
  list: ListAccounts,
  onReject: (reserve: Address, error: unknown) => void,
): Promise<readonly ReserveKeys[]> {
  const [reserves, ...markets] = await Promise.all([
    list({
      program: SOLEND_PROGRAM,
      filters: [{ kind: 'size', bytes: solendReserveLayout.fixedSize }, live],
      slice: { offset: 0, length: KEYS_END },
    }),
    ...TRUSTED_OWNERS.map((owner) => listMarkets(list, owner)),
  ]);
  const trusted = new Set(markets.flat());
  const found = await readEach(reserves, keysOf, onReject);
  return found.filter(({ market }) => trusted.has(market)).sort((one, other) => (one.address < other.address ? -1 : 1));
}

async function listMarkets(list: ListAccounts, owner: Address): Promise<readonly Address[]> {
  const ofOwner = {
    kind: 'content',
    offset: placeOf(solendLendingMarketLayout, 'owner').offset,
    bytes: Uint8Array.from(addressCodec.encode(owner)),
  } as const;
  const markets = await list({
    program: SOLEND_PROGRAM,
    filters: [{ kind: 'size', bytes: solendLendingMarketLayout.fixedSize }, live, ofOwner],
    slice: { offset: 0, length: 0 },
  });
  return markets.map((market) => market.address);
}

function keysOf(account: AccountBytes): ReserveKeys {
  const { address: reserve } = account;
  const { market, mint } = decodeAccount(account, KEYS_SHAPE, {
    decode: (data) => ({
      market: addressCodec.decode(data, MARKET_OFFSET),
      mint: addressCodec.decode(data, MINT_OFFSET),
    }),
  });
  // The market's rate limiter limits what leaves its reserves.
  return { venue: 'solend', address: reserve, market, mint, accounts: [reserve, market] };
}
