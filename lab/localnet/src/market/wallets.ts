import { type Address, address } from '@solana/kit';
import type { DemoTokenName } from './tokens.ts';

/** A wallet the demo market endows. */
export interface DemoWallet {
  readonly name: string;
  readonly address: Address;
  readonly lamports: bigint;
  /** Base units per token, in the wallet's associated accounts. */
  readonly tokens: Readonly<Partial<Record<DemoTokenName, bigint>>>;
}

/**
 * Wallets to try. The private key of each is the SHA-256 of the published text `lending demo wallet: <name>`: everybody knows it,
 * it is worth nothing outside this chain, and the service never holds it. Only addresses are kept here.
 */
export const DEMO_WALLETS: readonly DemoWallet[] = [
  {
    name: 'saver',
    address: address('AE1hoHXqzvgC4Uxm7HoSMXi6i9sTTGGcCqxmfavwZe4N'),
    lamports: 250_000_000_000n,
    tokens: {
      ...{ USDC: 25_000_000_000n, PYUSD: 10_000_000_000n, JitoSOL: 100_000_000_000n },
      ...{ LEVY: 20_000_000_000n, FULL: 5_000_000_000n, MRGN2: 40_000_000_000n },
    },
  },
  {
    name: 'looper',
    address: address('GzLYh4rnXEvJoPfYj1DECEWCWE1MDG13t8eba5qGa4KA'),
    lamports: 1_000_000_000_000n,
    tokens: { JitoSOL: 400_000_000_000n, mSOL: 250_000_000_000n, USDT: 5_000_000_000n },
  },
  {
    name: 'borrower',
    address: address('CnuC5Ta5Aar2XqRDbErtKEW2gkFEb78u4Rj1K6gaMAiD'),
    lamports: 50_000_000_000n,
    tokens: {
      ...{ cbBTC: 200_000_000n, WETH: 1_000_000_000n, USDC: 1_000_000_000n, BONK: 90_000_000_000_000n },
      ...{ LEVY: 5_000_000_000n },
    },
  },
];
