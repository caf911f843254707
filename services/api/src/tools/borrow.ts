import { z } from 'zod';
import type { BuilderDeps } from './builder-deps.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_USDC_BANK, EXAMPLE_WALLET } from './builder-examples.ts';
import { accountField, amountField, authorityField, bankField, builderOptions } from './builder-input.ts';
import { actionRequest } from './builder-request.ts';
import { defineBuilder } from './builder-tool.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  authority: authorityField,
  bank: bankField,
  amount: amountField,
  account: accountField,
  ...builderOptions,
});

/** Borrows from a bank. */
export function createBorrow(deps: BuilderDeps): Tool {
  return defineBuilder(deps, {
    kind: 'borrow',
    title: 'Borrow',
    does: 'Borrows tokens from a P0 bank against the deposits of the account, into the wallet. Above the most that lands: BORROW_LIMIT_EXCEEDED with details.max_borrow.',
    input,
    errors: [
      'BORROW_LIMIT_EXCEEDED',
      'BANK_NOT_BORROWABLE',
      'ASSET_TAG_CONFLICT',
      'BALANCE_SLOTS_FULL',
      'INSUFFICIENT_COLLATERAL',
      'BANK_UNVERIFIED',
    ],
    examples: [
      { authority: EXAMPLE_WALLET, bank: EXAMPLE_USDC_BANK, amount: 100 },
      {
        authority: EXAMPLE_WALLET,
        account: EXAMPLE_ACCOUNT,
        bank: EXAMPLE_USDC_BANK,
        amount: '100',
        priority_fee: 'high',
        idempotency_key: 'borrow-1',
      },
    ],
    requestOf: (given) => actionRequest('borrow', given, given.amount),
  });
}
