import { columnByIntegration, integrationOfTag } from './integrations.ts';

/** What a bank is made of, as its `config.assetTag` says. The first three are P0's own pools. */
export const ASSET_TAG = { default: 0, sol: 1, staked: 2, ...columnByIntegration('assetTag') } as const;

/** Whether a bank's money lies with another venue; those have instructions of their own. */
export function isIntegrationTag(assetTag: number): boolean {
  return integrationOfTag(assetTag) !== undefined;
}

/** The decimals that a bank's balances count in: the mint's, unless its venue has its own. */
export function balanceDecimals(assetTag: number, mintDecimals: number): number {
  return integrationOfTag(assetTag)?.balanceDecimals ?? mintDecimals;
}
