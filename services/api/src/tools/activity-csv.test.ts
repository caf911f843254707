import { describe, expect, it } from 'vitest';
import type { Activity } from '#records/activity-fields.ts';
import { toActivityCsv } from './activity-csv.ts';

const activity: Activity = {
  id: 'a:0',
  signature: 'a',
  slot: 1,
  time: '2026-11-21T00:00:00.000Z',
  finality: 'confirmed',
  kind: 'deposit',
  group_id: null,
  account: 'A',
  authority: 'B',
  actor: 'B',
  legs: [],
  fee_sol: 0,
  tip_sol: null,
  liquidation: null,
};

function symbolCell(symbol: string): string | undefined {
  const leg = {
    bank: 'K',
    symbol,
    mint: 'M',
    venue: null,
    side: 'lend' as const,
    action: 'deposit' as const,
    amount_ui: null,
    amount_raw: null,
    amount_usd: null,
    price_usd: null,
    close_side: false,
  };
  return /,K,(.*),M,/.exec(toActivityCsv([{ ...activity, legs: [leg] }]))?.[1];
}

describe('toActivityCsv', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+1', "'+1"],
    ['@cmd', "'@cmd"],
  ])('writes the symbol %s as %s: text of the chain is no formula and breaks no line', (symbol, cell) => {
    expect(symbolCell(symbol)).toBe(cell);
  });

  it('leaves unknown values empty', () => {
    expect(toActivityCsv([activity])).toMatch(/,false|,,,,,,,,,,,,0,,,\r\n$/);
  });
});
