import type { ProgramErrorName } from '@lending/domain';
import type { Address } from '@solana/kit';
import { OracleRefused } from '../p0/oracle-refused.ts';
import type { TokenRateSource } from './token-rate.ts';

/** What an account with a rate has to be. */
interface RateAccountShape {
  readonly owners: readonly Address[];
  readonly discriminator: Uint8Array;
  /** What the program says of every other account. */
  readonly invalid: ProgramErrorName;
}

/**
 * The bytes of the account that a bank names for its rate, once key, owner and discriminator are checked.
 * @throws OracleRefused
 */
export function loadRateAccount({ oracle, key, account }: TokenRateSource, shape: RateAccountShape): Uint8Array {
  const { owners, discriminator, invalid } = shape;
  if (account === null) throw new OracleRefused('rate_account_missing', invalid);
  if (account.address !== oracle.keys[key] || !owners.includes(account.owner))
    throw new OracleRefused('rate_account_mismatch', invalid);
  if (!discriminator.every((byte, index) => account.data[index] === byte))
    throw new OracleRefused('rate_account_malformed', invalid);
  return account.data;
}
