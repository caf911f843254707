import {
  type AccruedBank,
  accrueBank,
  type BankShares,
  type InterestFees,
  type InterestPace,
  interestPaceOf,
  premiumOwed,
  type RiskBalance,
  type RiskBank,
  type RiskPrice,
  skipHalts,
} from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { Address } from '@solana/kit';
import type { P0Account } from './account.ts';
import type { P0Bank, P0Group } from './bank.ts';
import { sameAssetOf } from './same-asset.ts';

/** What a group decides of its banks. */
export type GroupTerms = Pick<P0Group, 'programFee' | 'sameAssetLeverage'>;

/** A bank as the risk engine reads it, with the price of its oracle. */
export interface PricedBank {
  readonly bank: RiskBank;
  readonly price: RiskPrice;
}

/**
 * A bank as the risk engine reads it.
 * @param group null where it is not known: then nothing is accrued, and no same-asset emode applies.
 * @param accruedTo unix seconds; null leaves the shares as they are stored: so the program judges every bank but the one an instruction
 * acts on. A bank the program would refuse to accrue stays as it is too.
 */
export function toRiskBank(bank: P0Bank, group: GroupTerms | null, accruedTo: bigint | null): RiskBank {
  const sameAsset = sameAssetOf(bank);
  const {
    address,
    assetTag,
    decimals,
    operationalState,
    breaker,
    riskTier,
    weights,
    totalAssetValueInitLimitUsd,
    emode,
    premium,
  } = bank;
  const isJudgedOpen = operationalState === 'Paused' && bank.backsDebtWhilePaused === true;
  return {
    address,
    assetTag,
    decimals,
    operationalState: isJudgedOpen ? 'Operational' : operationalState,
    breaker,
    riskTier,
    weights,
    totalAssetValueInitLimitUsd,
    emode,
    premium,
    sameAsset: sameAsset && group && { ...sameAsset, leverage: group.sameAssetLeverage },
    shares: accruedTo === null || group === null ? bank.shares : accrued(bank, group, accruedTo),
  };
}

/**
 * An account's active balances in their order, each with its bank and price: what every valuation of the account starts from.
 * @param unixTimestamp to which premiums are accrued.
 * @param banks made once for all accounts, with `toRiskBank` and `loadRiskPrice`.
 * @throws VENUE__BANK_NOT_FOUND when a balance is in a bank that is not among them: its value would be unknown, not zero.
 */
export function toRiskBalances(
  account: Pick<P0Account, 'address' | 'balances'>,
  banks: ReadonlyMap<Address, PricedBank>,
  unixTimestamp: bigint,
): readonly RiskBalance[] {
  return account.balances.map((balance) => {
    const { bank: address, assetShares, liabilityShares } = balance;
    const priced = banks.get(address);
    if (priced === undefined) {
      throw new LendingError('VENUE__BANK_NOT_FOUND', {
        message: `account ${account.address} holds a balance in ${address}, which was not read`,
        context: { account: account.address, bank: address },
      });
    }
    const premium = premiumOwed(priced.bank, balance, unixTimestamp);
    return { bank: priced.bank, price: priced.price, assetShares, liabilityShares, premium };
  });
}

/**
 * A bank's shares as the program would accrue them, and the fees that it would book: seconds of a halt bear no interest.
 * @returns null where the program would refuse to accrue.
 */
export function accrueP0Bank(
  bank: AccruingBank,
  programFee: InterestFees['program'],
  unixTimestamp: bigint,
): AccruedBank | null {
  return accrueBank(sinceHalts(bank, unixTimestamp), bank.curve, { ...bank.fees, program: programFee }, unixTimestamp);
}

/** How a bank's interest grows, as seen at a moment: seconds of a halt are left out at its beginning. */
export function interestPaceOfBank(
  bank: AccruingBank,
  programFee: InterestFees['program'],
  unixTimestamp: bigint,
): InterestPace {
  return interestPaceOf(sinceHalts(bank, unixTimestamp), bank.curve, { ...bank.fees, program: programFee });
}

type AccruingBank = Pick<P0Bank, 'shares' | 'curve' | 'fees' | 'breaker'>;

function sinceHalts({ shares, breaker }: AccruingBank, unixTimestamp: bigint): BankShares {
  if (breaker === null) return shares;
  return { ...shares, lastUpdate: skipHalts(breaker.state, shares.lastUpdate, unixTimestamp) };
}

function accrued(bank: P0Bank, { programFee }: GroupTerms, unixTimestamp: bigint): BankShares {
  const after = accrueP0Bank(bank, programFee, unixTimestamp);
  if (after === null) return bank.shares;
  const { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares, lastUpdate } = after;
  return { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares, lastUpdate };
}
