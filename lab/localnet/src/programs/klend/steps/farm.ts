import { KAMINO_FARMS_PROGRAM, type KlendReserve, NO_KEY } from '@lending/programs';
import { InstructionError } from '#engine/instruction-error.ts';
import type { AccountReader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { check } from '../klend-error.ts';

/** The farm that a deposit or withdrawal tells of what is staked. */
interface FarmAccounts {
  readonly userState: NamedAccount | null;
  readonly farm: NamedAccount | null;
}

export function readFarm(reader: AccountReader): FarmAccounts {
  const userState = reader.optional('obligation_farm_user_state');
  const farm = reader.optional('reserve_farm_state');
  reader.program('farms_program', KAMINO_FARMS_PROGRAM);
  for (const account of [userState, farm]) if (account !== null) requireWritable(account);
  return { userState, farm };
}

/**
 * A reserve with a farm has the farms program told. That program is not modelled: where it would be called, the chain knows no such
 * program.
 * @throws AnchorError FarmAccountsMissing; InstructionError UnsupportedProgramId
 */
export function assertFarmTold({ farmCollateral }: KlendReserve, { userState, farm }: FarmAccounts): void {
  if (farmCollateral === NO_KEY) return;
  check(userState !== null && farm !== null, 'FarmAccountsMissing');
  throw new InstructionError('UnsupportedProgramId');
}
