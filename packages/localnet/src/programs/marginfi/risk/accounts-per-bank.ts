import { ASSET_TAG, isIntegrationTag } from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import { err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import type { BankState } from '../state/bank-state.ts';

const FIXED = 8;
const FIXED_WITH_VENUE: ReadonlySet<number> = new Set([13, 14, 17]);

/**
 * How many accounts a health check takes for a bank, itself included.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_remaining_accounts_per_bank`
 */
export function accountsPerBank(context: InvokeContext, bank: BankState): number {
  if (bank.oracleSetup === FIXED) return 1;
  if (FIXED_WITH_VENUE.has(bank.oracleSetup)) return 2;
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
