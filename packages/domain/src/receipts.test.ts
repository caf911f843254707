import { describe, expect, it } from 'vitest';
import { parseFraction } from './fraction.ts';
import { receiptsOfTokens, tokensOfReceipts } from './receipts.ts';

describe('tokensOfReceipts', () => {
  it('is what klend would pay for the cTokens of its main USDC reserve', () => {
    // Recorded: cToken → liquidity 1.1622328494882375 (mainnet, slot 377,723,091).
    expect(tokensOfReceipts(100_000_000_000_000n, parseFraction('1.1622328494882375'))).toBe(116_223_284_948_823n);
  });

  it('rounds down', () => {
    expect(tokensOfReceipts(1n, parseFraction('1.999999999999999999'))).toBe(1n);
  });
});

describe('receiptsOfTokens', () => {
  it('never asks for more receipts than the tokens pay', () => {
    const rate = parseFraction('1.1622328494882375');
    for (const tokens of [0n, 1n, 2n, 116_223_284_948_823n]) {
      const receipts = receiptsOfTokens(tokens, rate) ?? -1n;
      expect(tokensOfReceipts(receipts, rate)).toBeLessThanOrEqual(tokens);
      expect(tokensOfReceipts(receipts + 1n, rate)).toBeGreaterThanOrEqual(tokens);
    }
  });

  it('does not know of a receipt that is worth nothing, or nobody knows what', () => {
    expect(receiptsOfTokens(5n, 0n)).toBe(null);
    expect(receiptsOfTokens(5n, null)).toBe(null);
  });
});
