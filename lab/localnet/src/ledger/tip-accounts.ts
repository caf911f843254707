import { JITO_TIP_ACCOUNTS } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { computeMinimumBalance, type RentPrice } from './chain-parameters.ts';

/**
 * The tip accounts, rent-exempt, so that a tip of 1,000 lamports can land. On mainnet a program owns them; here nothing takes
 * the tips out again.
 */
export function tipAccounts(rent: RentPrice): readonly (readonly [Address, AccountState])[] {
  const lamports = computeMinimumBalance(rent, 0);
  const state = { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  return JITO_TIP_ACCOUNTS.map((tip) => [tip, state]);
}
