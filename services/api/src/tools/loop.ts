import { z } from 'zod';
import type { BuilderDeps } from './builder-deps.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_SOL_BANK, EXAMPLE_USDC_BANK, EXAMPLE_WALLET } from './builder-examples.ts';
import { accountField, authorityField, builderOptions, namedAmountField, namedBankField } from './builder-input.ts';
import { leverageRequest } from './builder-request.ts';
import { defineBuilder } from './builder-tool.ts';
import { inputField, requiredField, trueOrFalse } from './input-field.ts';
import { LEVERAGE_ALLOWED, leverageNumber } from './leverage-input.ts';
import { invalid } from './parse-input.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  authority: authorityField,
  deposit_bank: namedBankField('Bank to supply'),
  borrow_bank: namedBankField('P0 bank to borrow from'),
  amount: namedAmountField('Deposit tokens in the wallet, 1.5 or "1.5"'),
  leverage: requiredField(leverageNumber, "Above 1, at most the strategy's max_leverage", LEVERAGE_ALLOWED),
  create_new_account: inputField(trueOrFalse, 'An account of its own', 'true or false'),
  account: accountField,
  ...builderOptions,
});

/** Leverage in. */
export function createLoop(deps: BuilderDeps): Tool {
  return defineBuilder(deps, {
    kind: 'loop',
    title: 'Loop',
    does: 'Opens or increases a leveraged position by one flash loan: borrows, swaps, and deposits amount × leverage.',
    input,
    errors: [
      'LEVERAGE_EXCEEDED',
      'BORROW_LIMIT_EXCEEDED',
      'DEPOSIT_LIMIT_EXCEEDED',
      'BANK_NOT_BORROWABLE',
      'INSUFFICIENT_COLLATERAL',
      'ASSET_TAG_CONFLICT',
      'BALANCE_SLOTS_FULL',
      'SWAP_ROUTE_UNAVAILABLE',
      'BANK_UNVERIFIED',
    ],
    examples: [
      {
        authority: EXAMPLE_WALLET,
        create_new_account: true,
        deposit_bank: EXAMPLE_SOL_BANK,
        borrow_bank: EXAMPLE_USDC_BANK,
        amount: 1.5,
        leverage: 2,
      },
      {
        authority: EXAMPLE_WALLET,
        account: EXAMPLE_ACCOUNT,
        deposit_bank: EXAMPLE_SOL_BANK,
        borrow_bank: EXAMPLE_USDC_BANK,
        amount: '1.5',
        leverage: '1.75',
        policy: { max_slippage_bps: 30, max_price_impact_pct: 0.5 },
        idempotency_key: 'loop-1',
      },
    ],
    requestOf(given, callName) {
      const { amount, leverage, account } = given;
      const createsAccount = given.create_new_account === true;
      if (createsAccount && account !== undefined) {
        const wrong = 'create_new_account and account are both given';
        throw invalid(wrong, 'one of the two', callName, { field: 'create_new_account' });
      }
      return leverageRequest('loop', given, { amount, createsAccount, leverage, surplus: 'wallet' });
    },
  });
}
