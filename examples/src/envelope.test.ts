import { describe, expect, it } from 'vitest';
import { parseEnvelope } from './envelope.ts';
import { madeEnvelope } from './testing/made-envelope.ts';

describe('parseEnvelope', () => {
  it('takes an envelope as it is', () => {
    const envelope = madeEnvelope(['AQID', null]);
    expect(parseEnvelope(envelope)).toBe(envelope);
  });

  it('takes no error for one', () => {
    expect(() => parseEnvelope({ error: 'no', code: 'BANK_PAUSED', details: {} })).toThrow('account is not a text');
  });

  it.each([
    ['submit', { submit: 'both' }],
    ['blockhash', { blockhash: null }],
    ['last_valid_block_height', { blockhash: { value: 'x', last_valid_block_height: '150' } }],
    ['transactions', { transactions: [] }],
    [`transactions[0].base64`, { transactions: [{ label: '', type: '', base64: 7 }] }],
    ['action_tx_index', { action_tx_index: 2 }],
  ])('names %s when it is wrong', (name, change) => {
    expect(() => parseEnvelope({ ...madeEnvelope(['AQID', 'AQID']), ...change })).toThrow(name);
  });
});
