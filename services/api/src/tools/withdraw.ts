import { z } from 'zod';
import type { BuilderDeps } from './builder-deps.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_SOL_BANK, EXAMPLE_WALLET } from './builder-examples.ts';
import {
  accountField,
  allField,
  authorityField,
  bankField,
  builderOptions,
  optionalAmountField,
} from './builder-input.ts';
import { actionRequest, amountOrAll } from './builder-request.ts';
import { defineBuilder } from './builder-tool.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  authority: authorityField,
  bank: bankField,
  amount: optionalAmountField,
  withdraw_all: allField('Instead of amount'),
  account: accountField,
  ...builderOptions,
});

/** Takes a deposit out. */
export function createWithdraw(deps: BuilderDeps): Tool {
  return defineBuilder(deps, {
    kind: 'withdraw',
    title: 'Withdraw',
    does: 'Moves deposited tokens from a bank back into the wallet. Pass amount, or withdraw_all: true for all that the position holds.',
    input,
    errors: ['WITHDRAW_LIMIT_EXCEEDED', 'INSUFFICIENT_COLLATERAL', 'BANK_UNVERIFIED'],
    examples: [
      { authority: EXAMPLE_WALLET, bank: EXAMPLE_SOL_BANK, amount: 0.5 },
      { authority: EXAMPLE_WALLET, account: EXAMPLE_ACCOUNT, bank: EXAMPLE_SOL_BANK, withdraw_all: true },
    ],
    requestOf: (given, callName) =>
      actionRequest('withdraw', given, amountOrAll(given.amount, given.withdraw_all, 'withdraw_all', callName)),
  });
}
