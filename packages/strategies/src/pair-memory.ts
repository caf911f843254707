import type { PairTerms } from './pair-terms.ts';
import { type PairableBank, pairTermsOf } from './pairs.ts';

/** What the program makes of two banks together; null where it does not take them. */
export type TermsOfPair = (supply: PairableBank, borrow: PairableBank) => PairTerms | null;

export interface PairMemory {
  /** Answers for pairs of these banks, and forgets all others. */
  recall(banks: readonly PairableBank[]): TermsOfPair;
}

/** A bank as it was configured: the same object for as long as it stays so, whatever rates and balances do. */
interface Configuration {
  readonly text: string;
  /** By the configuration of what is borrowed. */
  readonly asSupply: WeakMap<Configuration, PairTerms | null>;
}

/** Keeps what pairs come to until one of both is configured anew, which is seldom; the arithmetic of weights is most of a ranking's work. */
export function createPairMemory(): PairMemory {
  let known = new Map<string, Configuration>();
  return {
    recall(banks) {
      const before = known;
      known = new Map();
      const configurations = new Map<PairableBank, Configuration>();
      for (const bank of banks) {
        const text = configurationText(bank);
        const kept = before.get(bank.address);
        const configuration = kept?.text === text ? kept : { text, asSupply: new WeakMap() };
        known.set(bank.address, configuration);
        configurations.set(bank, configuration);
      }
      return (supply, borrow) => recallPair(configurations, supply, borrow);
    },
  };
}

function recallPair(
  configurations: ReadonlyMap<PairableBank, Configuration>,
  supply: PairableBank,
  borrow: PairableBank,
): PairTerms | null {
  const [ofSupply, ofBorrow] = [configurations.get(supply), configurations.get(borrow)];
  if (ofSupply === undefined || ofBorrow === undefined) return pairTermsOf(supply, borrow);
  let terms = ofSupply.asSupply.get(ofBorrow);
  if (terms === undefined) {
    terms = pairTermsOf(supply, borrow);
    ofSupply.asSupply.set(ofBorrow, terms);
  }
  return terms;
}

/** Everything that the terms of a pair are made of, and nothing that moves with the market. */
function configurationText({ address, group, originationFee, risk }: PairableBank): string {
  const { weights, emode, assetTag, riskTier, operationalState } = risk;
  const entries = emode.entries.map((entry) => [entry.collateralTag, entry.assetWeightInit, entry.assetWeightMaint]);
  return [
    [address, group, originationFee, assetTag, riskTier, operationalState],
    [weights.assetInit, weights.assetMaint, weights.liabilityInit, weights.liabilityMaint],
    [emode.tag, ...entries],
  ].join(' ');
}
