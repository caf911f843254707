import { describe, expect, it } from 'vitest';
import { isFiltered, readQuestion, strategiesPath } from './strategy-question.ts';

const read = (search: string) => readQuestion((name) => new URLSearchParams(search).get(name));

describe('readQuestion', () => {
  it('begins with all pairs, by score', () => {
    const question = read('');
    expect(question).toEqual({ kind: '', venue: '', supply: '', borrow: '', order: 'score' });
    expect(isFiltered(question)).toBe(false);
  });

  it('leaves out what it does not know, so that a link of another version opens', () => {
    expect(read('kind=moon&venue=Nowhere&order=__proto__&more=1')).toEqual(read(''));
  });

  it('takes any symbol: whether there is one is the answer', () => {
    expect(read('supply=%20%3Cb%3E%20')).toMatchObject({ supply: '<b>' });
    expect(isFiltered(read('borrow=USDC'))).toBe(true);
  });
});

describe('strategiesPath', () => {
  it('asks for the default order by saying nothing', () => {
    expect(strategiesPath(read(''))).toBe('/v1/strategies?limit=25');
  });

  it('asks with every filter, encoded', () => {
    expect(strategiesPath(read('kind=stable&venue=P0&supply=a%26b&borrow=USDC&order=max_leverage'))).toBe(
      '/v1/strategies?kind=stable&venue=P0&supply_symbol=a%26b&borrow_symbol=USDC&sort=max_leverage&limit=25',
    );
  });
});
