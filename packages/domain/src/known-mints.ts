/**
 * Symbols of well-known mints, for banks that carry no metadata of their own. A short list on purpose: an unknown mint
 * has no symbol, and text from the chain never overrides an entry here.
 */
const SYMBOL_OF_MINT: Readonly<Record<string, string>> = {
  EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: 'USDC',
  So11111111111111111111111111111111111111112: 'SOL',
  Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB: 'USDT',
  USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA: 'USDS',
  '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo': 'PYUSD',
  '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH': 'USDG',
  CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH: 'CASH',
  '5YMkXAYccHSGnHn9nob9xEvv6Pvka9DZWH7nTbotTu9E': 'hyUSD',
  AvZZF1YaZDziPY2RCK4oJrRVrbN3mTD9NL24hPeaZeUj: 'syrupUSDC',
  HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr: 'EURC',
  JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD: 'JupUSD',
  J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn: 'JitoSOL',
  mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So: 'mSOL',
  jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v: 'JupSOL',
  bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1: 'bSOL',
  LSTxxxnJzKDFSLr4dUkPcmCf5VyryEqzPLz5j4bpxFp: 'LST',
  hy1oXYgrBW6PVcJ4s6s2FKavRdwgWTXdfE69AxT7kPT: 'hyloSOL',
  '5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm': 'INF',
  he1iusmfkpAdwvxLNGV8Y1iSbj4rUy6yMhEA3fotn9A: 'hSOL',
  Bybit2vBJGhPF52GBdNaQfUJ6ZpThSgHBobjWZpLPb4B: 'bbSOL',
  BNso1VUJnh4zcfpZa6986Ea66P6TCp59hvtNJ8b1X85: 'BNSOL',
  sctmB7GPi5L2Q5G9tUSzXvhZ4YiDMEGcRov9KfArQpx: 'dfdvSOL',
  '27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4': 'JLP',
  cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij: 'cbBTC',
  CtzPWv73Sn1dMGVU3ZtLv9yWSyUAanBni19YWDaznnkn: 'xBTC',
  '3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh': 'WBTC',
  '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs': 'WETH',
  JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN: 'JUP',
  DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263: 'Bonk',
};

/** The symbol people know a mint by, or null. */
export function symbolOfKnownMint(mint: string): string | null {
  return Object.hasOwn(SYMBOL_OF_MINT, mint) ? (SYMBOL_OF_MINT[mint] ?? null) : null;
}

/** Symbols of the list above that follow the dollar, interest-bearing ones too. The euro is not one of them. */
const DOLLAR_SYMBOLS: ReadonlySet<string> = new Set([
  'USDC',
  'USDT',
  'USDS',
  'PYUSD',
  'USDG',
  'CASH',
  'hyUSD',
  'syrupUSDC',
  'JupUSD',
]);

/** Whether a mint is known to follow the dollar: what a fall of the market leaves alone. A mint nobody listed is not. */
export function isKnownStablecoin(mint: string): boolean {
  const symbol = symbolOfKnownMint(mint);
  return symbol !== null && DOLLAR_SYMBOLS.has(symbol);
}

/** Symbols of the list above whose holders get nothing for holding: plain dollars and euros, SOL, wrapped coins, governance tokens. */
const PLAIN_SYMBOLS: ReadonlySet<string> = new Set([
  'USDC',
  'SOL',
  'USDT',
  'USDS',
  'PYUSD',
  'USDG',
  'CASH',
  'EURC',
  'cbBTC',
  'xBTC',
  'WBTC',
  'WETH',
  'JUP',
  'Bonk',
]);

/** Whether a mint is known to earn nothing by itself, so that its native yield is zero and not unknown. A mint nobody listed is not. */
export function earnsNothingByItself(mint: string): boolean {
  const symbol = symbolOfKnownMint(mint);
  return symbol !== null && PLAIN_SYMBOLS.has(symbol);
}

/** Symbols of the list above that are shares of staked SOL. */
const STAKED_SOL_SYMBOLS: ReadonlySet<string> = new Set([
  'JitoSOL',
  'mSOL',
  'JupSOL',
  'bSOL',
  'LST',
  'hyloSOL',
  'INF',
  'hSOL',
  'bbSOL',
  'BNSOL',
  'dfdvSOL',
]);

/** Whether a mint is known to follow SOL: SOL itself, or a share of staked SOL. A mint nobody listed is not. */
export function isKnownSol(mint: string): boolean {
  const symbol = symbolOfKnownMint(mint);
  return symbol !== null && (symbol === 'SOL' || STAKED_SOL_SYMBOLS.has(symbol));
}
