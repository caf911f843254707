import type { AccountState } from '@lending/localnet';
import type { SwapRoute } from '@lending/transactions';
import type { Address } from '@solana/kit';
import { labelled } from '../addresses.ts';
import { swapByTransfers, type TradedAmounts, type TradedToken } from '../bridges/swap-by-transfers.ts';
import { type BankName, bankNamed, MARKET } from '../market.ts';
import { mintOf, tokens } from './builder-market.ts';
import type { BuilderName, BuilderWorld } from './builder-world.ts';

/** More base units than any test trades. */
const LIQUIDITY = 10n ** 17n;
const POOL_OWNER = labelled('swap pool');

/** Everybody has a pool of his own, since an account has one delegate. */
export function poolAccounts(name: BuilderName, wallet: Address): readonly (readonly [Address, AccountState])[] {
  return [...MARKET.keys()].map((bank) => [poolAccountOf(name, bank), tokens(bank, POOL_OWNER, LIQUIDITY, wallet)]);
}

function poolAccountOf(name: BuilderName, bank: BankName): Address {
  return labelled(`swap pool of ${name}: ${bank}`);
}

/** A swap of the one bank's token for the other's. */
export async function swapInPool(
  world: BuilderWorld,
  name: BuilderName,
  [from, to]: readonly [from: BankName, to: BankName],
  amounts: TradedAmounts,
): Promise<SwapRoute> {
  const side = async (bank: BankName): Promise<TradedToken> => ({
    mint: mintOf(bank),
    decimals: bankNamed(bank).decimals,
    ofTaker: await world.tokenAccountOf(name, bank),
    ofPool: poolAccountOf(name, bank),
  });
  return swapByTransfers(world.signerOf(name).address, await side(from), await side(to), amounts);
}
