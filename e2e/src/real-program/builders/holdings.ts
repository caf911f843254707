import { tokenAccountLayout } from '@lending/programs';
import { type BankName, bankAt } from '../market.ts';
import { readHoldings } from './build.ts';
import type { BuilderName, BuilderWorld } from './builder-world.ts';

const ONE = 1n << 48n;

/** A balance in base units, as it was stored: what is owned rounded down, what is owed rounded up. */
export interface Holding {
  readonly bank: BankName;
  readonly asset: bigint;
  readonly debt: bigint;
}

export async function balancesOf(world: BuilderWorld, name: BuilderName): Promise<readonly Holding[]> {
  const { account, held } = await readHoldings(world, name);
  return (account.state?.balances ?? []).map(({ bank: address, assetShares, liabilityShares }) => {
    const live = held.get(address);
    if (live === undefined) throw new TypeError(`The bank ${address} was not read`);
    const { assetShareValue, liabilityShareValue } = live.bank.shares;
    return {
      bank: bankAt(address).name,
      asset: (assetShares * assetShareValue) / ONE / ONE,
      debt: (liabilityShares * liabilityShareValue + ONE * ONE - 1n) / (ONE * ONE),
    };
  });
}

/** Tokens of a bank's mint in the wallet. */
export async function tokensOf(world: BuilderWorld, name: BuilderName, bank: BankName): Promise<bigint> {
  const state = world.account(await world.tokenAccountOf(name, bank));
  return state === undefined ? 0n : tokenAccountLayout.decode(state.data).amount;
}
