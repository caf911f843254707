import { z } from 'zod';
import type { BuilderDeps } from './builder-deps.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_USDC_BANK, EXAMPLE_WALLET } from './builder-examples.ts';
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
  repay_all: allField('Instead of amount'),
  account: accountField,
  ...builderOptions,
});

/** Pays back. */
export function createRepay(deps: BuilderDeps): Tool {
  return defineBuilder(deps, {
    kind: 'repay',
    title: 'Repay',
    does: 'Pays back debt in a bank from the wallet. Pass amount, or repay_all: true for all that is owed.',
    input,
    errors: ['REPAY_LIMIT_EXCEEDED', 'BANK_NOT_BORROWABLE'],
    examples: [
      { authority: EXAMPLE_WALLET, bank: EXAMPLE_USDC_BANK, amount: 0.5 },
      { authority: EXAMPLE_WALLET, account: EXAMPLE_ACCOUNT, bank: EXAMPLE_USDC_BANK, repay_all: true },
    ],
    requestOf: (given, callName) =>
      actionRequest('repay', given, amountOrAll(given.amount, given.repay_all, 'repay_all', callName)),
  });
}
