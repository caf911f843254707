import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getBase58Encoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { isInstructionOf } from '../layout/instruction.ts';
import { findSolendMarketAuthority, SOLEND_MAIN_MARKET, SOLEND_PROGRAM } from './addresses.ts';
import { refreshSolendObligation, refreshSolendReserve } from './instructions.ts';

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
