import { ACCOUNT_FLAG } from '@lending/domain';
import { LendingError } from '@lending/errors';
import { type MarginfiAccount, marginfiAccountLayout, NO_KEY } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import type { P0Account, P0AccountFlags, P0AccountHints, P0Balance, P0HealthCache } from './account.ts';

/**
 * Reads a portfolio. Slots that are not in use are left out, wherever they stand.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 * @throws DECODE__VALUE_OUT_OF_RANGE for negative shares, which no balance can have.
 * @see marginfi-v2 type-crate/src/types/user_account.rs
 */
export function decodeMarginfiAccount(bytes: AccountBytes, programId: Address): P0Account {
  const account = decodeAccount(bytes, { kind: 'marginfi account', owner: programId }, marginfiAccountLayout);
  const { accountFlags, accountIndex, thirdPartyIndex, bump } = account;
  return {
    address: bytes.address,
    group: account.group,
    authority: account.authority,
    balances: balancesOf(bytes.address, account),
    flags: flagsOf(accountFlags),
    rawFlags: accountFlags,
    healthCache: healthCacheOf(account),
    migratedFrom: keyOrNull(account.migratedFrom),
    migratedTo: keyOrNull(account.migratedTo),
    lastUpdate: account.lastUpdate,
    derivation: bump === 0 ? null : { index: accountIndex, thirdPartyId: thirdPartyIndex, bump },
    emissionsDestination: keyOrNull(account.emissionsDestinationAccount),
    liquidationRecord: keyOrNull(account.liquidationRecord),
    activeOrders: account.activeOrders,
    lastTagUsed: account.lendingAccount.lastTagUsed,
    liquidationTaggedAt: account.liquidationTaggedAt === 0n ? null : account.liquidationTaggedAt,
    rebalanceExecutionSeq: account.rebalanceExecutionSeq,
    hints: hintsOf(account.indexerFlags),
  };
}

function balancesOf(account: Address, { lendingAccount }: MarginfiAccount): readonly P0Balance[] {
  return lendingAccount.balances.flatMap((balance, slot) => {
    if (balance.active === 0) return [];
    const { bankPk: bank, bankAssetTag: assetTag, tag, assetShares, liabilityShares, lastUpdate } = balance;
    if (assetShares < 0n || liabilityShares < 0n) throw negativeShares(account, slot);
    const { premiumRateSnapshot: rate, premiumOutstanding: outstanding } = balance;
    const premium = { rate, outstanding, claimedAt: lastUpdate };
    return [{ slot, bank, assetTag, tag, assetShares, liabilityShares, lastUpdate, premium }];
  });
}

function flagsOf(flags: bigint): P0AccountFlags {
  const has = (flag: bigint) => (flags & flag) !== 0n;
  return {
    isDisabled: has(ACCOUNT_FLAG.disabled),
    isInFlashLoan: has(ACCOUNT_FLAG.inFlashLoan),
    isInReceivership: has(ACCOUNT_FLAG.inReceivership),
    isInDeleverage: has(ACCOUNT_FLAG.inDeleverage),
    isFrozen: has(ACCOUNT_FLAG.frozen),
    isInOrderExecution: has(ACCOUNT_FLAG.inOrderExecution),
    isInRebalance: has(ACCOUNT_FLAG.inRebalance),
  };
}

function healthCacheOf({ healthCache }: MarginfiAccount): P0HealthCache {
  const has = (bit: number) => (healthCache.flags & (1 << bit)) !== 0;
  return {
    initial: { assets: healthCache.assetValue, liabilities: healthCache.liabilityValue },
    maintenance: { assets: healthCache.assetValueMaint, liabilities: healthCache.liabilityValueMaint },
    equity: { assets: healthCache.assetValueEquity, liabilities: healthCache.liabilityValueEquity },
    computedAt: healthCache.timestamp === 0n ? null : healthCache.timestamp,
    isHealthy: has(0),
    isEngineOk: has(1),
    isOracleOk: has(2),
    isEmodeBoosted: has(3),
    shownPricesUsd: healthCache.prices,
    error: healthCache.mrgnErr,
    oracleError: healthCache.internalErr,
    errorIndex: healthCache.errIndex,
    liquidationError: healthCache.internalLiqErr,
    bankruptcyError: healthCache.internalBankruptcyErr,
    programVersion: healthCache.programVersion,
  };
}

function hintsOf(flags: MarginfiAccount['indexerFlags']): P0AccountHints {
  return {
    isLendingOnly: flags.isLendingOnly !== 0,
    isEmpty: flags.isEmpty !== 0,
    isSingleBorrower: flags.isSingleBorrower !== 0,
    wasEverLiquidated: flags.hasEverBeenLiquidated !== 0,
    wasEverDeleveraged: flags.hasEverBeenDeleveraged !== 0,
    wasBankrupted: flags.hasBeenBankrupted !== 0,
    hasIsolated: flags.hasIsolated !== 0,
    hasStaked: flags.hasStaked !== 0,
    hasKamino: flags.hasKamino !== 0,
    hasDrift: flags.hasDrift !== 0,
    hasJuplend: flags.hasJuplend !== 0,
    wasLiquidatable: flags.wasLiquidatable !== 0,
    wasUnderwater: flags.wasUnderwater !== 0,
    wasActive30Days: flags.wasActive30d !== 0,
    wasActive60Days: flags.wasActive60d !== 0,
    hasTrivialBalance: flags.hasTrivialBalance !== 0,
  };
}

function keyOrNull(key: Address): Address | null {
  return key === NO_KEY ? null : key;
}

function negativeShares(account: Address, slot: number): LendingError {
  return new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `marginfi account ${account} has negative shares in slot ${slot}`,
    context: { address: account, slot },
  });
}
