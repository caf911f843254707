import { type Address, address } from '@solana/kit';

interface FeedPrice {
  /** Where the price starts and around which it walks, as raw × 10^exponent USD. */
  readonly baseRaw: bigint;
  readonly exponent: number;
  /** How far the price strays from its base at most, in millionths of it. */
  readonly strayPpm: number;
  /** Published uncertainty, in millionths of the price. */
  readonly confidencePpm: number;
  /** A feed whose moves this one takes over before it adds its own (a staking token follows SOL). */
  readonly follows?: 'SOL';
}

export interface PythFeed extends FeedPrice {
  readonly kind: 'pyth';
  /** The push account: PDA of shard 0 and the feed id under the push-oracle program. */
  readonly account: Address;
  readonly feedId: string;
}

export interface SwitchboardFeed extends FeedPrice {
  readonly kind: 'switchboard';
  readonly account: Address;
  /** Whether somebody pushes it all the time. Else it ages, and is as fresh as its last crank. */
  readonly isPushed: boolean;
}

export type DemoFeed = PythFeed | SwitchboardFeed;

/**
 * The price feeds of the demo market at mainnet's oracle keys (main-group banks decoded 2026-04-04; for USDC, PYUSD and cbBTC the
 * sponsored shard-0 account of the asset's Pyth feed). Prices are round figures of ours: SOL follows the USD limits its banks
 * carry (113.7), the rest is set beside it. They are not quotes.
 */
export const DEMO_FEEDS = {
  USDC: pyth(
    'Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX',
    'eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a',
    { baseRaw: 99_990_000n, exponent: -8, strayPpm: 600, confidencePpm: 500 },
  ),
  USDT: pyth(
    'HT2PLQBcG5EiCcNSaMHAjSgd9F98ecpATbk4Sk5oYuM',
    '2b89b9dc8fdf9f34709a5b106b472f0f39bb6ca9ce04b0fd7f2e971688e2e53b',
    { baseRaw: 99_950_000n, exponent: -8, strayPpm: 900, confidencePpm: 500 },
  ),
  USDS: pyth(
    'DyYBBWEi9xZvgNAeMDCiFnmC1U9gqgVsJDXkL5WETpoX',
    '77f0971af11cc8bac224917275c1bf55f2319ed5c654a1ca955c82fa2d297ea1',
    { baseRaw: 99_980_000n, exponent: -8, strayPpm: 800, confidencePpm: 700 },
  ),
  PYUSD: pyth(
    '9zXQxpYH3kYhtoybmZfUNNCRVuud7fY9jswTg1hLyT8k',
    'c1da1b73d7f01e7ddd54b3766cf7fcd644395ad14f70aa706ec5384c59e76692',
    { baseRaw: 99_970_000n, exponent: -8, strayPpm: 800, confidencePpm: 600 },
  ),
  cbBTC: pyth(
    '7oqYpv5YbjJ2PEsNeVVB5ZEZ8ZE6ufkj8hAvAiaiftbe',
    '2817d7bfe5c64b8ea956e9a26f573ef64e72e4d7891f2d6af9bcc93f7aff9a97',
    { baseRaw: 7_120_000_000_000n, exponent: -8, strayPpm: 40_000, confidencePpm: 450 },
  ),
  ETH: pyth(
    '42amVS4KgzR9rA28tkVYqVXjq9Qa8dcZQMbH5EYFX6XC',
    'ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace',
    { baseRaw: 224_000_000_000n, exponent: -8, strayPpm: 55_000, confidencePpm: 450 },
  ),
  BONK: pyth(
    'DBE3N8uNjhKPRHfANdwGvCZghWXyLPdqdSbEW2XFwBiX',
    '72b021217ca3fe68922a19aaf990109cb9d84e9ad004b4d2025ad6f529314419',
    { baseRaw: 62_000n, exponent: -10, strayPpm: 90_000, confidencePpm: 900 },
  ),
  JUP: pyth(
    '7dbob1psH1iZBS7qPsm3Kwbf5DzSXK8Jyg31CTgTnxH5',
    '0a0408d619e9380abad35060f9192039ed5042fa6f82301d0e48bb52be830996',
    { baseRaw: 17_200_000n, exponent: -8, strayPpm: 80_000, confidencePpm: 900 },
  ),
  JLP: pyth(
    '2TTGSRSezqFzeLUH8JwRUbtN66XLLaymfYsWRTMjfiMw',
    'c811abc82b4bad1f9bd711a2773ccaa935b03ecef974236942cec5e0eb845a3a',
    { baseRaw: 375_000_000n, exponent: -8, strayPpm: 20_000, confidencePpm: 600 },
  ),
  ORCA: pyth(
    '4CBshVeNBEXz24GZpoj8SrqP5L7VGG3qjGd6tCST1pND',
    '37505261e557e251290b8c8899453064e8d760ed5c65a779726f2490980da74c',
    { baseRaw: 105_000_000n, exponent: -8, strayPpm: 80_000, confidencePpm: 1_500 },
  ),
  SOL: switchboard('4Hmd6PdjVA9auCoScE12iaBogfwS4ZXQ6VZoBeqanwWW', {
    baseRaw: 113_700_000_000_000_000_000n,
    exponent: -18,
    strayPpm: 50_000,
    confidencePpm: 400,
  }),
  JitoSOL: switchboard('5htZ4vPKPjAEg8EJv6JHcaCetMM4XehZo8znQvrp6Ur3', {
    baseRaw: 142_500_000_000_000_000_000n,
    exponent: -18,
    strayPpm: 1_000,
    confidencePpm: 500,
    follows: 'SOL',
  }),
  mSOL: onDemand('HBkp4ppTRv9HjAKLz7Wjo1zRUd1m1o7Nn3uaapCRfT21', {
    baseRaw: 154_600_000_000_000_000_000n,
    exponent: -18,
    strayPpm: 1_200,
    confidencePpm: 500,
    follows: 'SOL',
  }),
  JupSOL: onDemand('BRCWKZ1PevwTFzBL2MLZM5hMwCNMWE8NYuS6zFPaXZ6y', {
    baseRaw: 133_000_000_000_000_000_000n,
    exponent: -18,
    strayPpm: 1_000,
    confidencePpm: 500,
    follows: 'SOL',
  }),
  INF: onDemand('48tBfE2bjtmEi4XKaQPc81SHQj3Srr1HN6AJJqeEiPNY', {
    baseRaw: 160_300_000_000_000_000_000n,
    exponent: -18,
    strayPpm: 1_200,
    confidencePpm: 500,
    follows: 'SOL',
  }),
  '2Z': onDemand('8wRUjxh4uCdvQdqcWUMvBBTJa95vLuKrze7WLus5h6Gk', {
    baseRaw: 85_000_000_000_000_000n,
    exponent: -18,
    strayPpm: 90_000,
    confidencePpm: 1_500,
  }),
  // Pyth's word on SOL, which staked banks are priced by: the program knows them no other way.
  PythSOL: pyth(
    '7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE',
    'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d',
    { baseRaw: 11_370_000_000n, exponent: -8, strayPpm: 150, confidencePpm: 450, follows: 'SOL' },
  ),
} as const satisfies Record<string, DemoFeed>;

export type DemoFeedName = keyof typeof DEMO_FEEDS;

function pyth(account: string, feedId: string, price: FeedPrice): PythFeed {
  return { kind: 'pyth', account: address(account), feedId, ...price };
}

function switchboard(account: string, price: FeedPrice): SwitchboardFeed {
  return { kind: 'switchboard', account: address(account), isPushed: true, ...price };
}

/** As most feeds of mainnet are: whoever needs it fresh brings the oracles' signatures. */
function onDemand(account: string, price: FeedPrice): SwitchboardFeed {
  return { ...switchboard(account, price), isPushed: false };
}
