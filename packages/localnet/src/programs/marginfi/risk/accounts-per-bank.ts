import { ASSET_TAG, isIntegrationTag } from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import { err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import type { BankState } from '../state/bank-state.ts';
import { runsSince } from '../version.ts';

/** How many accounts a bank of these oracle setups takes, whatever it holds. */
const BY_SETUP: ReadonlyMap<number, number> = new Map([[8, 1], ...[13, 14, 17].map((setup) => [setup, 2] as const)]);
/** The same since 0.1.11: PTFixed; PythMSOL, PythLST and PTPyth; what prices mSOL and other staked SOL on Kamino and JupLend. */
const BY_NEWER_SETUP: ReadonlyMap<number, number> = new Map([
  [26, 2],
  ...[19, 22, 25].map((setup) => [setup, 3] as const),
  ...[20, 21, 23, 24].map((setup) => [setup, 4] as const),
]);

/**
 * How many accounts a health check takes for a bank, itself included.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_remaining_accounts_per_bank`
 */
export function accountsPerBank(context: InvokeContext, bank: BankState): number {
  const bySetup = runsSince(context, '0.1.11') ? BY_NEWER_SETUP.get(bank.oracleSetup) : undefined;
  const count = bySetup ?? BY_SETUP.get(bank.oracleSetup);
  if (count !== undefined) return count;
  if (isIntegrationTag(bank.assetTag)) return 3;
  switch (bank.assetTag) {
    case ASSET_TAG.default:
    case ASSET_TAG.sol:
      return 2;
    case ASSET_TAG.staked:
      return 5;
    default:
      return fail(context, 'AssetTagMismatch', err('state/marginfi_account.rs', 60));
  }
}
