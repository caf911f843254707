import { describe, expect, it } from 'vitest';
import { parseFraction } from './fraction.ts';
import { tokensOfReceipts } from './receipts.ts';

describe('tokensOfReceipts', () => {
  it('is what klend would pay for the cTokens of its main USDC reserve', () => {
    // Recorded: cToken → liquidity 1.1622328494882375 (mainnet, slot 377,723,091).
    expect(tokensOfReceipts(100_000_000_000_000n, parseFraction('1.1622328494882375'))).toBe(116_223_284_948_823n);
  });

  it('rounds down', () => {
    expect(tokensOfReceipts(1n, parseFraction('1.999999999999999999'))).toBe(1n);
  });
});
