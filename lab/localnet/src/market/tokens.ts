import { type Address, address } from '@solana/kit';

/** A mint of the demo market. */
export interface DemoToken {
  readonly symbol: string;
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: 'spl' | 'token_2022';
  /** Base units in existence on this chain: round figures near mainnet's, always above what the market's vaults hold. */
  readonly supply: bigint;
  /** What a Token-2022 mint keeps of every transfer. */
  readonly transferFee?: { readonly basisPoints: number; readonly maximumBase: bigint };
}

/**
 * The demo market's mints. Addresses, decimals and token programs are mainnet's (token list of the main group, 2026-04-04;
 * PYUSD belongs to Token-2022). The demo's PYUSD mint has no extensions, so its transfers are free, as they are on mainnet
 * where the fee is set to zero.
 * LEVY, FULL, LENT and DRY exist nowhere else: practice for what mainnet rarely shows, dollars each. The private key of each such mint
 * is the SHA-256 of `lending demo mint: <symbol>`, so that nobody takes its address for somebody's. LEVY costs 1 % of every transfer.
 */
export const DEMO_TOKENS = {
  USDC: token('USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, 'spl', 9_699_062_349_264_983n),
  SOL: token('SOL', 'So11111111111111111111111111111111111111112', 9, 'spl', 0n),
  USDT: token('USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 6, 'spl', 2_389_927_600_000_000n),
  USDS: token('USDS', 'USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA', 6, 'spl', 60_000_000_000_000n),
  PYUSD: token('PYUSD', '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 6, 'token_2022', 764_750_728_961_261n),
  JitoSOL: token('JitoSOL', 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', 9, 'spl', 10_404_500_738_192_128n),
  mSOL: token('mSOL', 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', 9, 'spl', 2_800_000_000_000_000n),
  JupSOL: token('JupSOL', 'jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v', 9, 'spl', 3_900_000_000_000_000n),
  INF: token('INF', '5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm', 9, 'spl', 1_100_000_000_000_000n),
  cbBTC: token('cbBTC', 'cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij', 8, 'spl', 420_000_000_000n),
  WETH: token('WETH', '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 8, 'spl', 4_000_000_000_000n),
  BONK: token('BONK', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 5, 'spl', 8_799_535_739_732_477_217n),
  JUP: token('JUP', 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 6, 'spl', 6_860_000_000_000_000n),
  JLP: token('JLP', '27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4', 6, 'spl', 126_972_821_695_938n),
  '2Z': token('2Z', 'J6pQQ3FAcJQeWPPGppWRb4nM8jU3wLyYbRrLh7feMfvd', 8, 'spl', 1_000_000_000_000_000_000n),
  ORCA: token('ORCA', 'orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE', 6, 'spl', 75_000_000_000_000n),
  LEVY: {
    ...token('LEVY', '6iHao5KypgEE8dY9ZDofNCR8TURPCp9LcLW54kbbn8ki', 6, 'token_2022', 90_000_000_000_000n),
    transferFee: { basisPoints: 100, maximumBase: 25_000_000n },
  },
  FULL: token('FULL', 'E4XDrTDpNgR9i1PevDafKsKdQ6NXDF2ZznZwy3qYzT34', 6, 'spl', 50_000_000_000_000n),
  LENT: token('LENT', '7K9RoGjLsnXFEn4e9y92mG4bJFCuHZKLP4AFMEmt9xkq', 6, 'spl', 50_000_000_000_000n),
  DRY: token('DRY', '52dttbnUXj4m1WYJBUuAg7aTCNgRTwceJ4ifhdCAWhEM', 6, 'spl', 50_000_000_000_000n),
  MRGN2: token('MRGN2', '6Mt7tBWLUJfDxqCFTsjoRXF9wD55g4Lhs5nAyYp244pX', 9, 'spl', 84_000_000_000_000n),
  MRGN4: token('MRGN4', 'FUyAyVbYrMfiaN1QEQYFZTuBNzW5EJf3jWzjjymGqKLv', 9, 'spl', 36_000_000_000_000n),
} as const satisfies Record<string, DemoToken>;

export type DemoTokenName = keyof typeof DEMO_TOKENS;

function token(
  symbol: string,
  mint: string,
  decimals: number,
  tokenProgram: DemoToken['tokenProgram'],
  supply: bigint,
): DemoToken {
  return { symbol, mint: address(mint), decimals, tokenProgram, supply };
}
