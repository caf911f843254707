import { z } from 'zod';
import type { BuilderDeps } from './builder-deps.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_SOL_BANK, EXAMPLE_WALLET } from './builder-examples.ts';
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

/** Supplies a bank. */
export function createDeposit(deps: BuilderDeps): Tool {
  return defineBuilder(deps, {
    kind: 'deposit',
    title: 'Deposit',
    does: 'Moves tokens from the wallet into a bank, where they earn and serve as collateral; a wallet without an account gets one.',
    input,
    errors: ['DEPOSIT_LIMIT_EXCEEDED', 'ASSET_TAG_CONFLICT', 'BALANCE_SLOTS_FULL'],
    examples: [
      { authority: EXAMPLE_WALLET, bank: EXAMPLE_SOL_BANK, amount: 1.5 },
      {
        authority: EXAMPLE_WALLET,
        account: EXAMPLE_ACCOUNT,
        bank: EXAMPLE_SOL_BANK,
        amount: '1.5',
        priority_fee: 'high',
        idempotency_key: 'deposit-1',
      },
    ],
    requestOf: (given) => actionRequest('deposit', given, given.amount),
  });
}
