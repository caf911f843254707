import { parseI80F48 } from '@lending/domain';
import type { StrategyBank } from '#strategy-bank.ts';
import { type MadeBank, madeBank, usd } from './made-banks.ts';

/** Staked SOL of tier 1 to supply, as configured on mainnet in April 2026 (own weights apart): 0.1 % interest, 7 % by itself, 0.5 % rewards. */
export function madeLst(made: MadeBank = {}): StrategyBank {
  return madeBank({
    address: 'Lst',
    mint: 'Staked',
    assetClass: 'sol',
    lendsOut: false,
    assetInit: '0.7',
    assetMaint: '0.8',
    now: { interestDeposit: 0.1, totalBorrow: null, native: 7, emissionsDeposit: 0.5 },
    ...made,
    risk: { emode: { tag: 1571, entries: [] }, ...made.risk },
  });
}

/** SOL to borrow, which favours it: 5.5 %, nothing by itself. */
export function madeSol(made: MadeBank = {}): StrategyBank {
  const entry = {
    collateralTag: 1571,
    assetWeightInit: parseI80F48('1.046'),
    assetWeightMaint: parseI80F48('1.051'),
  };
  return madeBank({
    address: 'Sol',
    mint: 'Sol',
    assetClass: 'sol',
    takesDeposits: false,
    liabilityInit: '1.14',
    liabilityMaint: '1.1',
    now: { interestDeposit: 4, totalBorrow: 5.5, native: 0, emissionsDeposit: 0 },
    liquidityUsd: usd(700_000),
    ...made,
    risk: { assetTag: 1, emode: { tag: 501, entries: [entry] }, ...made.risk },
  });
}
