import { describe, expect, it } from 'vitest';
import { querySummary } from './query-summary.ts';

describe('querySummary', () => {
  it.each([
    ['begin', 'BEGIN'],
    ['select "address", "mint" from "bank" where "address" = $1', 'SELECT bank'],
    ['insert into "plan" ("id") values ($1) returning "id"', 'INSERT plan'],
    ['update consumer_offset set next_offset = $1', 'UPDATE consumer_offset'],
    ['delete from rate_window where lapses_at <= now()', 'DELETE rate_window'],
    ['COPY rate_new (a, b) from stdin', 'COPY rate_new'],
    [
      `with asked as (select * from unnest($1::text[])),
            newest as (select * from "rate_sample" join asked on true)
       select * from asked join newest on true`,
      'WITH rate_sample',
    ],
    ['select 1', 'SELECT'],
    ['', ''],
  ])('says what %s does in a few words', (text, summary) => {
    expect(querySummary(text)).toBe(summary);
    expect(querySummary(text)).toBe(summary);
  });
});
