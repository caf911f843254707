import type { Message } from '@lending/events';
import { type BankWrite, type LimitsSeen, recordLimitChanges, type Transaction, upsertBanks } from '@lending/store';

/** Writes what banks are, and how their limits changed. An older slot never overwrites a newer one. */
export async function projectBankUpdated(
  transaction: Transaction,
  messages: readonly Message<'bank.updated.v1'>[],
): Promise<void> {
  await recordLimitChanges(transaction, messages.map(toLimits));
  await upsertBanks(transaction, messages.map(toRow));
}

function toLimits({ payload, slot, time, source }: Message<'bank.updated.v1'>): LimitsSeen {
  return {
    address: payload.bank,
    kind: 'bank',
    venue: payload.venue,
    depositLimitBase: payload.depositLimit,
    borrowLimitBase: payload.borrowLimit,
    valueLimitUsd: payload.totalAssetValueInitLimitUsd,
    source,
    slot,
    time,
  };
}

function toRow({ payload, slot, time, source }: Message<'bank.updated.v1'>): BankWrite {
  const { weights, oracle } = payload;
  return {
    address: payload.bank,
    groupAddress: payload.group,
    venue: payload.venue,
    mint: payload.mint,
    decimals: payload.decimals,
    tokenProgram: payload.tokenProgram,
    symbol: payload.symbol,
    assetTag: payload.assetTag,
    operationalState: payload.operationalState,
    riskTier: payload.riskTier,
    assetWeightInit: weights.assetInit,
    assetWeightMaint: weights.assetMaint,
    liabilityWeightInit: weights.liabilityInit,
    liabilityWeightMaint: weights.liabilityMaint,
    depositLimitBase: payload.depositLimit,
    borrowLimitBase: payload.borrowLimit,
    totalAssetValueInitLimitUsd: payload.totalAssetValueInitLimitUsd,
    originationFee: payload.originationFee,
    flags: payload.flags,
    emode: payload.emode,
    oracleSetup: oracle.setup,
    oracleKey: oracle.key,
    oracleMaxAgeSeconds: oracle.maxAgeSeconds,
    rateCurve: payload.rateCurve,
    venueAccount: payload.venueAccount,
    source,
    slot,
    slotTime: time,
  };
}
