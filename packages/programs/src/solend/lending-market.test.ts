import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Address, address, getAddressEncoder, getBase58Encoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { isInstructionOf } from '../layout/instruction.ts';
import { findSolendMarketAuthority, SOLEND_MAIN_MARKET, SOLEND_PROGRAM } from './addresses.ts';
import { refreshSolendObligation, refreshSolendReserve } from './instructions.ts';
import { solendLendingMarketLayout } from './lending-market.ts';

const owner = address('5pHk2TmnqQzRF9L6egy5FfiyBgS7G9cMZ5RFaJAvghzw');
const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const pyth = address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ');
const switchboard = address('SBondMDrcV3K4kxZR1HNVT7osZxAHVHgYXL5Ze1oMUv');
const liquidator = address('yaDPAockQPna7Srx5LB2TugJSKHUduHghyZdQcn7zYz');
const riskAuthority = address('81KTtWjRndxGQbJHGJq6EaJWL8JfXbyywVvZReVPQd1X');

/** Bytes at the offsets where Save's own `Pack` writes them: no dump of a market is public. */
function marketBytes(): Uint8Array {
  const bytes = new Uint8Array(290);
  const view = new DataView(bytes.buffer);
  const key = (offset: number, value: Address) => bytes.set(getAddressEncoder().encode(value), offset);
  bytes[0] = 1;
  bytes[1] = 254;
  key(2, owner);
  bytes.set(new TextEncoder().encode('USD'), 34);
  key(66, tokenProgram);
  key(98, pyth);
  key(130, switchboard);
  view.setBigUint64(162, 1_000_000n, true);
  view.setBigUint64(170, 216_000n, true);
  view.setBigUint64(178, 3n, true);
  view.setBigUint64(186, 1n, true);
  view.setBigUint64(194, 400_032_000n, true);
  view.setBigUint64(202, 5n, true);
  view.setBigUint64(210, 2n, true);
  key(218, liquidator);
  key(250, riskAuthority);
  bytes.fill(7, 282);
  return bytes;
}

describe('solendLendingMarketLayout', () => {
  it('reads every field where the program writes it, the outflow before the window', () => {
    const { quoteCurrency, _padding, ...market } = solendLendingMarketLayout.decode(marketBytes());
    expect(market).toEqual({
      version: 1,
      bumpSeed: 254,
      owner,
      tokenProgramId: tokenProgram,
      oracleProgramId: pyth,
      switchboardOracleProgramId: switchboard,
      rateLimiter: {
        maxOutflow: 1_000_000n,
        windowDuration: 216_000n,
        previousQuantity: (1n << 64n) + 3n,
        windowStart: 400_032_000n,
        currentQuantity: (2n << 64n) + 5n,
      },
      whitelistedLiquidator: liquidator,
      riskAuthority,
    });
    expect(new TextDecoder().decode(Uint8Array.from(quoteCurrency)).replace(/\0+$/, '')).toBe('USD');
    expect([..._padding]).toEqual(Array(8).fill(7));
  });

  it('gives the bytes back unchanged', () => {
    const codec = solendLendingMarketLayout;
    expect(codec.fixedSize).toBe(solendLendingMarketLayout.fixedSize);
    expect(codec.encode(codec.decode(marketBytes()))).toEqual(marketBytes());
  });
});

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const RECORDED = resolve(
  ROOT,
  process.env.FIXTURES_DIR ?? '../shared/fixtures',
  'transactions/solend-refresh-liquidate.json',
);

interface Recorded {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
}

describe.skipIf(!existsSync(RECORDED))('a recorded liquidation on Save (FIXTURES_DIR)', () => {
  const { message } = existsSync(RECORDED)
    ? JSON.parse(readFileSync(RECORDED, 'utf8')).transaction
    : { message: { accountKeys: [], instructions: [] } };
  const keys: readonly string[] = message.accountKeys;
  const ofSave = (message.instructions as readonly Recorded[]).filter(
    ({ programIdIndex }) => keys[programIdIndex] === SOLEND_PROGRAM,
  );
  const named = (data: string) =>
    [refreshSolendReserve, refreshSolendObligation].find((layout) =>
      isInstructionOf(layout, getBase58Encoder().encode(data)),
    )?.name ?? 'another';

  it('refreshes two reserves, then the obligation', () => {
    expect(ofSave.map(({ data }) => named(data))).toEqual([
      'refresh_reserve',
      'refresh_reserve',
      'refresh_obligation',
      'another',
    ]);
    // Reserve, Pyth price, Switchboard price, as the layout has them; the clock after them is of an older program.
    const usdc = ofSave[1]?.accounts.slice(0, refreshSolendReserve.accounts.length).map((index) => keys[index]);
    expect(usdc).toEqual([
      'BgxfHJDzm44T7XG68MYKx7YisTjZu73tVovyZSjJMpmw',
      'Gnt27xtC473ZT2Mw5u8wZ68Z3gULkSTb5DuxJy7eJotD',
      'CZx29wKMUxaJDq6aLVQTdViPL754tTR64NAgQBUGxxHb',
    ]);
  });

  it('names the main market and the authority that is found from it', async () => {
    expect(keys).toContain(SOLEND_MAIN_MARKET);
    const [authority] = await findSolendMarketAuthority(SOLEND_MAIN_MARKET);
    expect(authority).toBe('DdZR6zRFiUt4S5mg7AV1uKB2z1f1WzcNYCaTEEWPAuby');
    expect(keys).toContain(authority);
  });
});
