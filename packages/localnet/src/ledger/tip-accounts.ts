import { type Address, address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { computeMinimumBalance, type RentPrice } from './chain-parameters.ts';

/** The block engine's tip accounts, constant for years. */
export const TIP_ACCOUNTS: readonly Address[] = [
  address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5'),
  address('HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe'),
  address('Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY'),
  address('ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49'),
  address('DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh'),
  address('ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt'),
  address('DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL'),
  address('3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT'),
];

/**
 * The tip accounts, rent-exempt, so that a tip of 1,000 lamports can land. On mainnet a program owns them; here nothing takes
 * the tips out again.
 */
export function tipAccounts(rent: RentPrice): readonly (readonly [Address, AccountState])[] {
  const lamports = computeMinimumBalance(rent, 0);
  const state = { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  return TIP_ACCOUNTS.map((tip) => [tip, state]);
}
