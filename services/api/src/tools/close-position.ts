import { z } from 'zod';
import type { BuilderDeps } from './builder-deps.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_SOL_BANK, EXAMPLE_USDC_BANK, EXAMPLE_WALLET } from './builder-examples.ts';
import {
  accountField,
  allField,
  authorityField,
  builderOptions,
  optionalBankField,
  optionalNamedAmountField,
} from './builder-input.ts';
import { amountOrAll, leverageRequest } from './builder-request.ts';
import { defineBuilder } from './builder-tool.ts';
import { inputField, wordOf } from './input-field.ts';
import { invalid } from './parse-input.ts';
import type { Tool } from './tool.ts';

const SURPLUS = ['wallet', 'redeposit'] as const;

const input = z.strictObject({
  authority: authorityField,
  repay_all: allField('Instead of amount'),
  amount: optionalNamedAmountField('Debt tokens to repay, 1.5 or "1.5"'),
  deposit_bank: optionalBankField('Collateral to sell; left out: the only one'),
  borrow_bank: optionalBankField('Debt to repay; left out: the only one, or all'),
  account: accountField,
  surplus: inputField(wordOf(SURPLUS), 'wallet (default) or redeposit', SURPLUS.join(' or ')),
  ...builderOptions,
});

/** Leverage out. */
export function createClosePosition(deps: BuilderDeps): Tool {
  return defineBuilder(deps, {
    kind: 'close_position',
    title: 'Close position',
    does: 'Repays debt with collateral by flash loan, at most 250,000 USD a call. Pass amount, or repay_all: true for all debts.',
    input,
    errors: [
      'REPAY_LIMIT_EXCEEDED',
      'WITHDRAW_LIMIT_EXCEEDED',
      'DEPOSIT_LIMIT_EXCEEDED',
      'BANK_NOT_BORROWABLE',
      'INSUFFICIENT_COLLATERAL',
      'SWAP_ROUTE_UNAVAILABLE',
    ],
    examples: [
      { authority: EXAMPLE_WALLET, account: EXAMPLE_ACCOUNT, repay_all: true },
      {
        authority: EXAMPLE_WALLET,
        account: EXAMPLE_ACCOUNT,
        deposit_bank: EXAMPLE_SOL_BANK,
        borrow_bank: EXAMPLE_USDC_BANK,
        amount: '0.5',
        transaction_version: 1,
      },
    ],
    requestOf(given, callName) {
      const amount = amountOrAll(given.amount, given.repay_all, 'repay_all', callName);
      const surplus = given.surplus ?? 'wallet';
      if (surplus === 'redeposit' && amount !== 'all') {
        const wrong =
          'surplus is redeposit and repay_all is not true: a bank in which something is owed takes no deposit';
        throw invalid(wrong, 'redeposit with repay_all: true, or wallet', callName, { field: 'surplus' });
      }
      return leverageRequest('close_position', given, { amount, createsAccount: false, leverage: null, surplus });
    },
  });
}
