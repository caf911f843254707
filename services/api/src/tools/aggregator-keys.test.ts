import { isLendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { readAggregatorKeys } from './aggregator-keys.ts';

const read = (headers: Record<string, string>) => readAggregatorKeys((name) => headers[name], 'svc_loop');

describe('readAggregatorKeys', () => {
  it('reads each key from its header, and one from its other name', () => {
    expect(read({})).toEqual({ jupiter: null, dflow: null });
    expect(read({ 'x-aggregator1-api-key': 'one', 'x-aggregator2-api-key': ' two ' })).toEqual({
      jupiter: 'one',
      dflow: 'two',
    });
    expect(read({ 'x-jupiter-api-key': 'alias', 'x-aggregator1-api-key': '' }).jupiter).toBe('alias');
    expect(read({ 'x-jupiter-api-key': 'alias', 'x-aggregator1-api-key': 'one' }).jupiter).toBe('one');
  });

  it.each(['sk-secret, sk-secret', 'sk-sécret', 'k'.repeat(501), 'a\nb'])('refuses what is no key: %j', (value) => {
    try {
      read({ 'x-aggregator2-api-key': value });
      expect.unreachable();
    } catch (error) {
      expect(isLendingError(error, 'TOOL__INPUT_INVALID')).toBe(true);
      expect(error).toMatchObject({ context: { field: 'x-aggregator2-api-key' } });
      expect(JSON.stringify({ ...(error as object), message: String(error) })).not.toContain(value);
    }
  });
});
