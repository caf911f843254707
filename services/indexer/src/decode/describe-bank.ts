import { curveCorners, formatI80F48, symbolOfKnownMint } from '@lending/domain';
import type { BankUpdated } from '@lending/events';
import { type BankText, type P0Bank, priceFeedOf, sameAssetOf, type TokenProgramName } from '@lending/venues';

/**
 * What a bank is, in the words of `bank.updated`.
 *
 * The symbol of a well-known mint comes from our own list; only an unknown mint is called what its administrator wrote.
 */
export function describeBank(bank: P0Bank, tokenProgram: TokenProgramName | null, text: BankText | null): BankUpdated {
  const { weights, emode, oracle } = bank;
  return {
    bank: bank.address,
    group: bank.group,
    venue: bank.venue,
    mint: bank.mint,
    decimals: bank.decimals,
    tokenProgram,
    symbol: symbolOfKnownMint(bank.mint) ?? (text?.bank === bank.address ? text.symbol : null),
    assetTag: bank.assetTag,
    operationalState: bank.operationalState,
    riskTier: bank.riskTier,
    weights: {
      assetInit: formatI80F48(weights.assetInit),
      assetMaint: formatI80F48(weights.assetMaint),
      liabilityInit: formatI80F48(weights.liabilityInit),
      liabilityMaint: formatI80F48(weights.liabilityMaint),
    },
    depositLimit: bank.depositLimit?.toString() ?? null,
    borrowLimit: bank.borrowLimit?.toString() ?? null,
    totalAssetValueInitLimitUsd: bank.totalAssetValueInitLimitUsd?.toString() ?? null,
    originationFee: formatI80F48(bank.originationFee),
    flags: bank.flags.toString(),
    emode: {
      tag: emode.tag,
      entries: emode.entries.map((entry) => ({
        collateralTag: entry.collateralTag,
        assetWeightInit: formatI80F48(entry.assetWeightInit),
        assetWeightMaint: formatI80F48(entry.assetWeightMaint),
      })),
      sameAsset: sameAssetOf(bank),
    },
    oracle: { setup: oracle.setup, key: priceFeedOf(bank), maxAgeSeconds: oracle.maxAgeSeconds },
    rateCurve: curveCorners(bank.curve).map((corner) => ({
      utilization: formatI80F48(corner.utilization),
      baseApr: formatI80F48(corner.baseApr),
    })),
    venueAccount: bank.venueAccount,
  };
}
