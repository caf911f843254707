import { expect, it } from 'vitest';
import { sizeAdvice } from './size-advice.ts';

it.each([
  ['DEPOSIT', 0, true, /^Pass `transaction_version` 1 .*, or use an `account` with fewer balances\.$/],
  ['DEPOSIT', 1, true, /^Use an `account` with fewer balances, or close balances/],
  [
    'LOOP',
    0,
    true,
    /^Pass `transaction_version` 1 .*, or lower `amount`, choose a more liquid pair, .*`create_new_account`\.$/,
  ],
  ['LOOP', 0, false, /^Lower `amount`, choose a more liquid pair, or loop in an account of its own/],
  ['CLOSE_POSITION', 1, true, /^Repay less at a time with `amount`, or choose a more liquid pair/],
] as const)('says of a %s in version %s what makes it smaller', (type, version, isOverBytes, advice) => {
  expect(sizeAdvice(type, version, { isOverBytes })).toMatch(advice);
});
