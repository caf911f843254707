import { describe, expect, it } from 'vitest';
import type { Activity } from '#records/activity-fields.ts';
import { toActivityCsv } from './activity-csv.ts';
import { KeptText } from './kept-text.ts';

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
  rebalance: null,
};

const LEG = {
  bank: 'K',
  symbol: 'SYM',
  mint: 'M',
  venue: null,
  side: 'lend' as const,
  action: 'deposit' as const,
  amount_ui: null,
  amount_raw: null,
  amount_usd: null,
  price_usd: null,
  close_side: false,
  premium_settled_ui: null,
  premium_written_off_ui: null,
};

function symbolCell(symbol: string): string | undefined {
  return /,K,(.*),M,/.exec(toActivityCsv([{ ...activity, legs: [{ ...LEG, symbol }] }]))?.[1];
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

  it('says on the line of each leg what of it paid premium, and what was given up', () => {
    const legs = [{ ...LEG, premium_settled_ui: 0.41, premium_written_off_ui: 3 }, LEG];
    const lines = toActivityCsv([{ ...activity, legs }]).split('\r\n');
    expect(lines.map((line) => line.split(',').slice(-2))).toEqual([
      ['premium_settled_ui', 'premium_written_off_ui'],
      ['0.41', '3'],
      ['', ''],
      [''],
    ]);
  });

  it('leaves unknown values empty', () => {
    expect(toActivityCsv([activity])).toMatch(/,false|,,,,,,,,,,,,0,,,,,\r\n$/);
  });
});

const textOf = (parts: readonly Buffer[]) => Buffer.concat(parts).toString('utf8');

describe('KeptText.between', () => {
  it('gives all of it, made once while nothing around it changes', () => {
    const kept = new KeptText('["ä"]');
    const first = kept.between('{"rows":', ',"age_seconds":1}');
    expect(textOf(first.parts)).toBe('{"rows":["ä"],"age_seconds":1}');
    expect(kept.between('{"rows":', ',"age_seconds":1}')).toBe(first);
  });

  it('is another text as soon as something around it changes', () => {
    const kept = new KeptText('[]');
    kept.between('{"rows":', '}');
    expect(textOf(kept.between('{"rows":', ',"age_seconds":2}').parts)).toBe('{"rows":[],"age_seconds":2}');
    expect(textOf(kept.between('{"list":', ',"age_seconds":2}').parts)).toBe('{"list":[],"age_seconds":2}');
  });

  it('keeps its name while only the age changes', () => {
    const kept = new KeptText('[]');
    const nameOf = (after: string) => kept.between('{"rows":', after).digest;
    expect(nameOf(',"age_seconds":1.5}')).toBe(nameOf(',"age_seconds":2}'));
    expect(nameOf(',"age_seconds":2,"stale":true}')).not.toBe(nameOf(',"age_seconds":2}'));
    expect(new KeptText('[1]').between('{"rows":', '}').digest).not.toBe(nameOf('}'));
  });
});
