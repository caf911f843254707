import { getU32Encoder, getU64Encoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { exponentVaultLayout } from './vault.ts';

const RATE = 1_297_416_135_081n;

describe('exponentVaultLayout', () => {
  it('reads the vault 9YbaicMsXrtupkpD72pdWBfU6R7EJfSByw75sEpDM1uH as it stood in July 2026', () => {
    const data = new Uint8Array(914);
    data.set([211, 8, 232, 43, 2, 152, 117, 119]);
    const numbers = { 337: RATE, 369: RATE, 401: 1_211_954_766_800n, 433: 255_572_820_683n };
    const totals = { ...numbers, 441: 221_385_861_806n, 449: 287_229_589_187n };
    for (const [offset, value] of Object.entries(totals)) data.set(getU64Encoder().encode(value), Number(offset));
    data.set(getU32Encoder().encode(1_736_773_200), 264);
    data.set(getU32Encoder().encode(13_140_000), 268);
    const vault = exponentVaultLayout.decode(data);
    expect(vault).toMatchObject({
      ...{ startTs: 1_736_773_200, duration: 13_140_000, totalSyInEscrow: 255_572_820_683n },
      ...{ lastSeenSyExchangeRate: [RATE, 0n, 0n, 0n], allTimeHighSyExchangeRate: [RATE, 0n, 0n, 0n] },
      finalSyExchangeRate: [1_211_954_766_800n, 0n, 0n, 0n],
    });
    // What Exponent sets aside backs each token with one asset, but for two base units.
    expect(vault.ptSupply - (vault.syForPt * RATE) / 10n ** 12n).toBe(2n);
  });
});
