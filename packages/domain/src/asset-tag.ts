/** What a bank is made of, as its `config.assetTag` says. */
export const ASSET_TAG = { default: 0, sol: 1, staked: 2, kamino: 3, drift: 4, solend: 5, juplend: 6 } as const;

/** Whether a bank's money lies with another venue; those have instructions of their own. */
export function isIntegrationTag(assetTag: number): boolean {
  return assetTag >= ASSET_TAG.kamino && assetTag <= ASSET_TAG.juplend;
}

const DRIFT_BALANCE_DECIMALS = 9;

/** The decimals that a bank's balances count in: the mint's, but Drift's are always nine. */
export function balanceDecimals(assetTag: number, mintDecimals: number): number {
  return assetTag === ASSET_TAG.drift ? DRIFT_BALANCE_DECIMALS : mintDecimals;
}
