import { address } from '@solana/kit';
import { type DemoBank, venueBank } from './demo-bank.ts';

const KAMINO_MAIN_MARKET = { name: 'Main Market', address: address('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF') };
const KAMINO_JITO_MARKET = { name: 'Jito Market', address: address('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6') };

/**
 * P0 banks on other venues at mainnet addresses: Kamino, JupLend, Drift (reduce-only, as all Drift banks of the main group are)
 * and Save. Terms as decoded on 2026-04-04 14:53 UTC unless a row says otherwise. Shares are the venue's collateral tokens.
 * Nobody borrows from these banks, so each carries the program's placeholder curve.
 */
export const VENUE_BANKS: readonly DemoBank[] = [
  venueBank('kamino', 'USDC', '27Cpv49jQ3hav8zF3qZjp7T78ATdUTZN4m9x389Z8uH4', {
    account: 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59',
    market: KAMINO_MAIN_MARKET,
    seed: 300n,
    weights: ['1', '1'],
    limits: [100_000_000_000_000n, 100_000_000n],
    shares: '583068469092',
    lending: 67,
  }),
  venueBank('kamino', 'SOL', '9SerK63jzwLimSP8nnH5aGoZzK2pVXBWTWmUZSyivwaV', {
    // Oracle, limits and weights as in the proposal that created this bank; it is missing from the dump of totals, its shares are ours.
    account: 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q',
    market: KAMINO_MAIN_MARKET,
    oracleMaxAgeSeconds: 300,
    seed: 300n,
    weights: ['0.8', '0.9'],
    limits: [800_000_000_000_000n, 160_000_000n],
    emodeTag: 501,
    shares: '5210000000000',
    lending: 118,
  }),
  venueBank('kamino', 'USDT', 'FLnBNuXqJYUNa8EwC1APQ4qV128f8iHQQ6vnr1PaD1ax', {
    account: 'H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S',
    market: KAMINO_MAIN_MARKET,
    seed: 300n,
    weights: ['1', '1'],
    limits: [50_000_000_000_000n, 50_000_000n],
    shares: '14386452707',
    lending: 8,
  }),
  venueBank('kamino', 'PYUSD', '9LfTcnXVa84mTwAxgHUkLBk1yg6vCWAMLSNY1oLBnnVx', {
    account: '2gc9Dm1eB6UgVYFBUN9bWks6Kes9PbWSaPaa9DqyvEiN',
    market: KAMINO_MAIN_MARKET,
    seed: 300n,
    weights: ['0.9', '0.95'],
    limits: [10_000_000_000_000n, 10_000_000n],
    shares: '1579678336',
    lending: 10,
    premium: { tag: 'stable', isActive: false },
    isSameAssetEligible: true,
  }),
  venueBank('kamino', 'SOL', 'J5mxC3hLXqmsJB4Nauf9YrtbNMSTHGz7FWfAmy1v6Fzr', {
    account: '6gTJfuPHEg6uRAijRkMqNc9kan4sVZejKMxmvx2grT1p',
    market: KAMINO_JITO_MARKET,
    seed: 302n,
    weights: ['0.75', '0.85'],
    limits: [150_000_000_000_000n, 20_000_000n],
    shares: '612124429483',
    lending: 93,
  }),
  venueBank('juplend', 'USDC', 'Be5LNsgq7Zs3LJkCnqW4j3bs7GsZksNNmqEiyEhbsugn', {
    // The dump shows no shares in this young bank; these are ours.
    account: '2vVYHYM8VYnvZqQWpTJSj8o8DBf1wM8pVs3bsTgYZiqJ',
    seed: 509n,
    weights: ['1', '1'],
    limits: [50_000_000_000_000n, 50_000_000n],
    shares: '1842000000000',
    lending: 36,
  }),
  venueBank('juplend', 'USDT', '6SUMngtaS1Bwzxj85EhaekWkZJ9uHrRQCap6MX6RFufW', {
    // The dump shows no shares in this young bank; these are ours.
    account: 'F7tLdeF2YZZex9MR8HgGggyFiz7UU2UgUube2tmfwNPE',
    seed: 509n,
    weights: ['1', '1'],
    limits: [50_000_000_000_000n, 50_000_000n],
    shares: '604000000000',
    lending: 14,
  }),
  venueBank('juplend', 'SOL', '4cSk2pyxFkPdc5Kp5Yk1HYLjTbNoYzwtz2MCKUogjqeg', {
    // Paused in the dump, too.
    account: 'BeAqbxfrcXmzEYT2Ra62oW2MqkuFDHaCtps47Mzg6Zj3',
    seed: 509n,
    state: 'Paused',
    weights: ['0.75', '0.85'],
    limits: [200_000_000_000_000n, 20_000_000n],
  }),
  venueBank('solend', 'USDC', '8Ygb6DGeBP12umpm98iuSQPXoJTaViM8g2qgo8SNmijR', {
    // No Solend bank existed on mainnet in 2026: this one stands where the program would put it (PDA of group, mint and seed), on
    // the real main-pool USDC reserve of Save. Its terms are those of the Kamino USDC bank with smaller limits, its shares ours.
    account: 'BgxfHJDzm44T7XG68MYKx7YisTjZu73tVovyZSjJMpmw',
    seed: 700n,
    weights: ['0.9', '0.95'],
    limits: [5_000_000_000_000n, 5_000_000n],
    shares: '412500000000',
    lending: 21,
  }),
  venueBank('drift', 'USDC', '5GZmPEr6czroe3ax29D2FHyKuT64ixj5evB2NqWjUk1d', {
    account: '6gMq3mRCKf8aP3ttTyYhuijVZ2LGi14oDsBbkgubfLB3',
    seed: 42n,
    state: 'ReduceOnly',
    weights: ['1', '1'],
    limits: [50_000_000_000_000n, 50_000_000n],
  }),
  venueBank('drift', 'SOL', 'CwbdVVmGfR4H9bQ39vmeKjt9Gd128iFGrc9Jvht2oPx6', {
    account: '3x85u7SWkmmr7YQGYhtjARgxwegTLJgkSLRprfXod6rh',
    seed: 42n,
    state: 'ReduceOnly',
    weights: ['0.8', '0.9'],
    limits: [1_000_000_000_000_000n, 113_700_000n],
  }),
];
