import { LendingError } from '@lending/errors';
import { type AccountContent, anyAddress, MINT } from '@lending/fakes';
import type { ReserveKeys, ReserveReading, ReserveVenue, VenueAdapter } from '@lending/venues';
import type { Address } from '@solana/kit';

/** Owns the reserves of the made venue. */
export const MADE_PROGRAM = anyAddress(700);
export const MADE_MARKET = anyAddress(701);
export const MADE_RECEIPT = anyAddress(702);

/** What a made reserve's account says; numbers are fractions with 18 decimals, or base units. */
export interface MadeReserve {
  readonly depositApr: bigint | null;
  readonly borrowApr: bigint | null;
  readonly poolRewardApr: bigint | null;
  readonly utilization: bigint | null;
  readonly depositsBase: bigint;
  readonly borrowsBase: bigint;
  readonly availableBase: bigint;
  readonly withdrawRoomBase: bigint;
  readonly exchangeRateE18: bigint | null;
  readonly status: ReserveReading['status'];
  readonly depositLimitBase: bigint | null;
  readonly priceE18: bigint | null;
  readonly pricedAt: bigint | null;
}

const MADE: MadeReserve = {
  depositApr: 40_000_000_000_000_000n,
  borrowApr: 60_000_000_000_000_000n,
  poolRewardApr: 5_000_000_000_000_000n,
  utilization: 800_000_000_000_000_000n,
  depositsBase: 5_000_000n,
  borrowsBase: 4_000_000n,
  availableBase: 1_000_000n,
  withdrawRoomBase: 900_000n,
  exchangeRateE18: 1_250_000_000_000_000_000n,
  status: 'active',
  depositLimitBase: 10_000_000n,
  priceE18: null,
  pricedAt: null,
};

export function madeKeys(address: Address, venue: ReserveVenue = 'kamino'): ReserveKeys {
  return { venue, address, market: MADE_MARKET, mint: MINT, accounts: [address, MADE_MARKET] };
}

export function madeReading(
  address: Address,
  fields: Partial<MadeReserve> = {},
  { venue = 'kamino' as ReserveVenue, slotMicros = 400_000n } = {},
): ReserveReading {
  const made = { ...MADE, ...fields };
  const { depositApr, borrowApr, poolRewardApr, utilization } = made;
  const { depositsBase, borrowsBase, availableBase, withdrawRoomBase, depositLimitBase } = made;
  return {
    keys: madeKeys(address, venue),
    decimals: 6,
    receiptMint: MADE_RECEIPT,
    symbol: 'MADE',
    marketName: 'Made market',
    status: made.status,
    statusReasons: made.status === 'active' ? [] : ['made_so'],
    rates: { depositApr, borrowApr, poolRewardApr, utilization, slotMicros },
    incentives: [{ side: 'deposit', mint: MINT, amountPerYearBase: 12n, decimals: 9 }],
    sizes: { depositsBase, borrowsBase, availableBase },
    limits: { depositLimitBase, depositRoomBase: 5n, borrowLimitBase: null, borrowRoomBase: null, withdrawRoomBase },
    price: made.priceE18 === null ? null : { usdE18: made.priceE18, publishedAt: made.pricedAt },
    exchangeRateE18: made.exchangeRateE18,
    lastUpdate: { slot: 1n, unixTimestamp: null },
  };
}

/** The account of a made reserve: its fields as text. */
export function madeReserveContent(fields: Partial<MadeReserve> = {}): AccountContent {
  const text = JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return { owner: MADE_PROGRAM, data: new TextEncoder().encode(text) };
}

/** A venue whose accounts hold text, so that a test says in words what a reserve shall say. */
export function createMadeAdapter(venue: ReserveVenue = 'kamino', program: Address = MADE_PROGRAM): VenueAdapter {
  return {
    venue,
    async discover(list, onReject) {
      const found = await list({ program, filters: [], slice: { offset: 0, length: 0 } });
      return found.flatMap(({ address }) => {
        if (address !== anyAddress(799)) return [madeKeys(address, venue)];
        onReject(address, new LendingError('DECODE__ACCOUNT_MALFORMED'));
        return [];
      });
    },
    readReserve(keys, [account], { slotMicros }) {
      if (!account) throw new LendingError('DECODE__ACCOUNT_MALFORMED', { message: 'no account' });
      return madeReading(keys.address, parse(account.data), { venue, slotMicros });
    },
  };
}

function parse(data: Uint8Array): Partial<MadeReserve> {
  try {
    return JSON.parse(new TextDecoder().decode(data), (_, value) =>
      typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    );
  } catch (cause) {
    throw new LendingError('DECODE__ACCOUNT_MALFORMED', { cause });
  }
}
