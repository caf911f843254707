import { computeRequirement } from '@lending/domain';
import { bankLayout, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import {
  decodeBank,
  decodeMarginfiAccount,
  loadRiskPrice,
  oracleAccountsOf,
  type P0Account,
  toRiskBalances,
  toRiskBank,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createDemoMarket, DEMO_BANKS, type DemoMarket } from './demo-market.ts';
import { PROGRAM_FEE } from './group-accounts.ts';

const NOW = 1_795_255_000n;
const ONLY_TRADER = 1;

function accountsOf({ genesis }: DemoMarket): readonly P0Account[] {
  return [...genesis.accounts].flatMap(([address, { owner, data }]) =>
    owner === MARGINFI_PROGRAM && data.length === marginfiAccountLayout.fixedSize
      ? [decodeMarginfiAccount({ address, owner, data }, MARGINFI_PROGRAM)]
      : [],
  );
}

/** Shares of one side that the accounts hold of each bank. */
function heldOf(accounts: readonly P0Account[], side: 'assetShares' | 'liabilityShares'): ReadonlyMap<Address, bigint> {
  const held = new Map<Address, bigint>();
  for (const { bank, [side]: shares } of accounts.flatMap(({ balances }) => balances)) {
    held.set(bank, (held.get(bank) ?? 0n) + shares);
  }
  return held;
}

describe('createCrowd', () => {
  const open = (crowd: number, seed = 1) => createDemoMarket({ unixTimestamp: NOW, crowd, seed });

  it('is nobody unless asked for', async () => {
    expect(accountsOf(await open(0))).toHaveLength(ONLY_TRADER);
  });

  it('makes so many accounts that the decoders read, with one to eight balances in the program’s order', async () => {
    const accounts = accountsOf(await open(2_000));
    expect(accounts).toHaveLength(2_000 + ONLY_TRADER);
    const counts = new Set(accounts.map(({ balances }) => balances.length));
    expect([...counts].toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(accounts.map(({ group }) => group))).toEqual(new Set([MARGINFI_MAIN_GROUP]));
    const wallets = new Map<Address, number>();
    for (const { authority } of accounts) wallets.set(authority, (wallets.get(authority) ?? 0) + 1);
    expect([...wallets.values()].filter((count) => count === 3)).toHaveLength(200);
    expect(accounts.some(({ hints }) => hints.isSingleBorrower)).toBe(true);
  });

  it('holds all that its banks were lent, and no more than what was borrowed', async () => {
    const market = await open(2_000);
    const accounts = accountsOf(market);
    const [assets, liabilities] = [heldOf(accounts, 'assetShares'), heldOf(accounts, 'liabilityShares')];
    expect(assets.size).toBeGreaterThan(20);
    for (const { address, ticker } of DEMO_BANKS) {
      const bank = bankLayout.decode(market.genesis.accounts.get(address)?.data ?? new Uint8Array());
      const held = assets.get(address);
      if (held !== undefined) expect(held, ticker).toBe(bank.totalAssetShares);
      expect(liabilities.get(address) ?? 0n, ticker).toBeLessThanOrEqual(bank.totalLiabilityShares);
    }
    expect([...liabilities.values()].filter((shares) => shares > 0n).length).toBeGreaterThan(10);
  });

  it('owes so little that everybody could borrow more', async () => {
    const market = await open(500);
    const read = (address: Address) => {
      const state = market.genesis.accounts.get(address);
      return state === undefined ? null : { address, owner: state.owner, data: state.data };
    };
    const now = { slot: 0n, unixTimestamp: NOW };
    const banks = new Map(
      DEMO_BANKS.map(({ address }) => {
        const bank = decodeBank(read(address) ?? expect.unreachable(), MARGINFI_PROGRAM);
        const price = loadRiskPrice(bank, oracleAccountsOf(bank).map(read), now);
        return [
          address,
          {
            bank: toRiskBank(bank, { programFee: PROGRAM_FEE, sameAssetLeverage: { init: 0n, maint: 0n } }, NOW),
            price,
          },
        ];
      }),
    );
    for (const account of accountsOf(market)) {
      const outcome = computeRequirement(toRiskBalances(account, banks, NOW), 'initial');
      if (outcome.kind === 'refused') continue;
      expect(outcome.liabilities, account.address).toBeLessThanOrEqual(outcome.assets);
    }
  });

  it('is the same for the same seed, and another for another', async () => {
    const [one, again, other] = await Promise.all([open(50), open(50), open(50, 2)]);
    expect(accountsOf(again)).toEqual(accountsOf(one));
    const addresses = (market: DemoMarket) => accountsOf(market).map(({ address }) => address);
    expect(addresses(other).slice(ONLY_TRADER)).not.toEqual(addresses(one).slice(ONLY_TRADER));
  });
});
