import type { PairableBank } from './pairs.ts';

/** A bank as it was configured; the same object for as long as it stays so, whatever rates and balances do. */
export interface BankConfiguration {
  readonly bank: PairableBank;
  readonly text: string;
}

export interface BankConfigurations {
  /** In the order of the banks; those that are no more are forgotten. */
  of(banks: readonly PairableBank[]): readonly BankConfiguration[];
}

export function createBankConfigurations(): BankConfigurations {
  let known = new Map<string, BankConfiguration>();
  return {
    of(banks) {
      const before = known;
      known = new Map();
      return banks.map((bank) => {
        const text = configurationText(bank);
        const kept = before.get(bank.address);
        const configuration = kept?.text === text ? kept : { bank, text };
        known.set(bank.address, configuration);
        return configuration;
      });
    },
  };
}

/** Everything that pairs and their leverage are made of, and nothing that moves with the market. */
function configurationText(bank: PairableBank): string {
  const { weights, emode, assetTag, riskTier, operationalState } = bank.risk;
  return JSON.stringify(
    [
      [bank.address, bank.group, bank.venue, bank.takesDeposits, bank.lendsOut, bank.originationFee],
      [assetTag, riskTier, operationalState],
      [weights.assetInit, weights.assetMaint, weights.liabilityInit, weights.liabilityMaint],
      [emode.tag, emode.entries.map((entry) => [entry.collateralTag, entry.assetWeightInit, entry.assetWeightMaint])],
    ],
    (_key, value) => (typeof value === 'bigint' ? `${value}` : value),
  );
}
