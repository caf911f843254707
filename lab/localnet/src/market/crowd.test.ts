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
import { createDemoMarket, DEMO_BANKS } from './demo-market.ts';
import { PROGRAM_FEE } from './group-accounts.ts';

const NOW = 1_795_255_000n;
const COUNT = 1_000;
const { genesis } = await createDemoMarket({ unixTimestamp: NOW, crowd: COUNT });
const accounts = [...genesis.accounts].flatMap(([address, { owner, data }]): P0Account[] =>
  owner === MARGINFI_PROGRAM && data.length === marginfiAccountLayout.fixedSize
    ? [decodeMarginfiAccount({ address, owner, data }, MARGINFI_PROGRAM)]
    : [],
);

function read(address: Address) {
  const state = genesis.accounts.get(address);
  return state === undefined ? null : { address, owner: state.owner, data: state.data };
}

describe('createCrowd', () => {
  it('makes so many accounts that the decoders read, with one to eight balances, beside the trader', () => {
    expect(accounts).toHaveLength(COUNT + 1);
    const counts = new Set(accounts.map(({ balances }) => balances.length));
    expect([...counts].toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(accounts.map(({ group }) => group))).toEqual(new Set([MARGINFI_MAIN_GROUP]));
    const wallets = Map.groupBy(accounts, ({ authority }) => authority);
    expect([...wallets.values()].filter(({ length }) => length === 3)).toHaveLength(COUNT / 10);
    expect(accounts.filter(({ hints }) => hints.isSingleBorrower).length).toBeGreaterThan(COUNT / 10);
  });

  it('holds no more than its banks were lent, and owes no more than was borrowed', () => {
    const balances = Map.groupBy(
      accounts.flatMap((account) => account.balances),
      ({ bank }) => bank,
    );
    expect(balances.size).toBeGreaterThan(20);
    for (const { address, ticker } of DEMO_BANKS) {
      const bank = bankLayout.decode(read(address)?.data ?? new Uint8Array());
      const held = balances.get(address) ?? [];
      const sumOf = (side: 'assetShares' | 'liabilityShares') => held.reduce((sum, one) => sum + one[side], 0n);
      expect(sumOf('assetShares'), ticker).toBeLessThanOrEqual(bank.totalAssetShares);
      expect(sumOf('liabilityShares'), ticker).toBeLessThanOrEqual(bank.totalLiabilityShares);
    }
  });

  it('owes so little that everybody could borrow more', () => {
    const banks = new Map(
      DEMO_BANKS.map(({ address }) => {
        const bank = decodeBank(read(address) ?? expect.unreachable(), MARGINFI_PROGRAM);
        const price = loadRiskPrice(bank, oracleAccountsOf(bank).map(read), { slot: 0n, unixTimestamp: NOW });
        const group = { programFee: PROGRAM_FEE, sameAssetLeverage: { init: 0n, maint: 0n } };
        return [address, { bank: toRiskBank(bank, group, NOW), price }];
      }),
    );
    for (const account of accounts) {
      const outcome = computeRequirement(toRiskBalances(account, banks, NOW), 'initial');
      if (outcome.kind === 'refused') continue;
      expect(outcome.liabilities, account.address).toBeLessThanOrEqual(outcome.assets);
    }
  });
});
