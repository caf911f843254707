import { formatI80F48 } from '@lending/domain';
import type { AccountUpdated } from '@lending/events';
import type { P0Account } from '@lending/venues';

/** A lending account in the words of `account.updated`. What only a pulse changes, its health cache, is left out. */
export function describeAccount(account: P0Account): NonNullable<AccountUpdated['state']> {
  const { derivation } = account;
  return {
    group: account.group,
    authority: account.authority,
    flags: account.rawFlags.toString(),
    balances: account.balances.map((balance) => ({
      slot: balance.slot,
      bank: balance.bank,
      assetTag: balance.assetTag,
      tag: balance.tag,
      assetShares: formatI80F48(balance.assetShares),
      liabilityShares: formatI80F48(balance.liabilityShares),
      lastUpdate: balance.lastUpdate.toString(),
      premiumRate: balance.premium.rate,
      premiumOutstanding: formatI80F48(balance.premium.outstanding),
    })),
    lastUpdate: account.lastUpdate.toString(),
    migratedFrom: account.migratedFrom,
    migratedTo: account.migratedTo,
    derivation: derivation && { index: derivation.index, thirdPartyId: derivation.thirdPartyId },
    emissionsDestination: account.emissionsDestination,
    liquidationRecord: account.liquidationRecord,
    activeOrders: account.activeOrders,
    liquidationTaggedAt: account.liquidationTaggedAt?.toString() ?? null,
  };
}
