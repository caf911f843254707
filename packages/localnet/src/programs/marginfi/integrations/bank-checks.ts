import { ASSET_TAG, type IntegrationVenue } from '@lending/domain';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import type { BankState } from '../state/bank-state.ts';
import { INTEGRATION_NAMES } from './integration-names.ts';

/** What a bank at a venue names, as an instruction was given it; those that the instruction does not ask for are left out. */
interface BankAccounts {
  readonly group?: NamedAccount;
  readonly liquidityVault?: NamedAccount;
  /** The venue's reserve. */
  readonly integrationAcc1: NamedAccount;
  /** What holds the bank's receipts there. */
  readonly integrationAcc2: NamedAccount;
  /** Where JupLend pays out. */
  readonly integrationAcc3?: NamedAccount;
  readonly mint: NamedAccount;
}

/** The constraints on a bank whose money lies with a venue, in the program's order. */
export function checkIntegrationBank(bank: Loader<BankState>, venue: IntegrationVenue, given: BankAccounts): void {
  const state = bank.load();
  const { reserve, position, tag } = INTEGRATION_NAMES[venue].errors;
  const { group, liquidityVault, integrationAcc3 } = given;
  if (group !== undefined) requireHasOne(bank, state.group, group, 'InvalidGroup');
  if (liquidityVault !== undefined) requireHasOne(bank, state.liquidityVault, liquidityVault, 'InvalidLiquidityVault');
  requireHasOne(bank, state.integrationAcc1, given.integrationAcc1, reserve);
  requireHasOne(bank, state.integrationAcc2, given.integrationAcc2, position);
  if (integrationAcc3 !== undefined) {
    requireHasOne(bank, state.integrationAcc3, integrationAcc3, 'InvalidJuplendWithdrawIntermediaryAta');
  }
  requireHasOne(bank, state.mint, given.mint, 'InvalidMint');
  requireConstraint(bank, state.assetTag === ASSET_TAG[venue], tag);
}

/** Collateral without a weight would go to a liquidator for nothing. */
export function requireWeightInReceivership(account: Loader<AccountState>, bank: Loader<BankState>): void {
  const isTakenForNothing = hasFlag(account.load(), 'inReceivership') && bank.load().assetWeightInit === 0n;
  requireConstraint(bank, !isTakenForNothing, 'LiquidationPremiumTooHigh');
}
