import { describe, expect, it } from 'vitest';
import { isAnswerTo } from './answer-shape.ts';

const account = { owner: 'Stake11111111111111111111111111111111111111', data: ['', 'base64'], lamports: 1n };
const at = (value: unknown) => ({ context: { slot: 7n }, value });

describe('isAnswerTo', () => {
  it.each([
    ['getMultipleAccounts', [['a', 'b']], at([account, null])],
    ['getProgramAccounts', [], []],
    ['getProgramAccounts', [], at([{ pubkey: 'a', account }])],
    ['getTransaction', ['s'], null],
    ['getTransaction', ['s'], { slot: 7n, transaction: ['', 'base64'] }],
    ['getSlot', [], 7n],
    ['getBlocks', [], [7]],
    ['a method of tomorrow', [], 'anything'],
  ])('takes what %s answers', (method, params, result) => {
    expect(isAnswerTo(method, params, result)).toBe(true);
  });

  it.each([
    ['getMultipleAccounts', [['a', 'b']], at([account])],
    ['getMultipleAccounts', [['a']], at(5)],
    ['getMultipleAccounts', [['a']], { context: { slot: 'x' }, value: [null] }],
    ['getMultipleAccounts', [['a']], { context: null }],
    ['getProgramAccounts', [], 'soon'],
    ['getTransaction', ['s'], 'soon'],
    ['getTransaction', ['s'], { context: { slot: 'x' }, value: 5 }],
    ['getSlot', [], null],
    ['getBlocks', [], 7],
    ['getLatestBlockhash', [], at(null)],
    ['simulateTransaction', ['t'], at(null)],
    ['a method of tomorrow', [], undefined],
  ])('does not take for an answer to %s what is none', (method, params, result) => {
    expect(isAnswerTo(method, params, result)).toBe(false);
  });
});
