import { describe, expect, it } from 'vitest';
import { isAddress } from './is-address.ts';

describe('isAddress', () => {
  it.each([
    '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8',
    '11111111111111111111111111111111',
    'So11111111111111111111111111111111111111112',
  ])('takes %s', (text) => {
    expect(isAddress(text)).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    ['4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG', 'a digit too few'],
    ['4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG88', 'a digit too many'],
    ['0qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8', 'a digit that base58 has not'],
    ['zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', 'more than 32 bytes'],
    ['111111111111111111111111111111111', '33 bytes of zero'],
  ])('refuses %s: %s', (text) => {
    expect(isAddress(text)).toBe(false);
  });
});
