import { BANK_FLAG, formatI80F48, type OracleSetup, type SameAsset } from '@lending/domain';
import { type Address, getAddressDecoder } from '@solana/kit';
import type { P0Bank } from './bank.ts';

/** Setups whose prices differ by the rate of a venue alone, by what they have in common; a setup that is not here takes no part. */
const FAMILIES: Partial<Record<OracleSetup, { readonly family: string; readonly isDebtToo: boolean }>> = {
  ...family('pyth', 'PythPushOracle', 'KaminoPythPush', 'DriftPythPull', 'SolendPythPull', 'JuplendPythPull'),
  ...family('staked', 'StakedWithPythPush'),
  ...family(
    'switchboard',
    'SwitchboardPull',
    'KaminoSwitchboardPull',
    'DriftSwitchboardPull',
    'SolendSwitchboardPull',
    'JuplendSwitchboardPull',
  ),
  ...family('msol', 'PythMSOL', 'KaminoMSOL', 'JuplendMSOL'),
  ...family('lst', 'PythLST', 'KaminoLST', 'JuplendLST'),
  ...family('pt', 'PTPyth'),
};
const NO_KEY = getAddressDecoder().decode(new Uint8Array(32)) satisfies Address;

/**
 * Which asset a bank counts as in same-asset emode; null where it takes no part.
 * @see marginfi-v2 type-crate/src/types/bank_config.rs `feed_family`, state/marginfi_account.rs `update_reconciled_same_asset_config`
 */
export function sameAssetOf({ mint, flags, oracle }: Pick<P0Bank, 'mint' | 'flags' | 'oracle'>): P0SameAsset | null {
  const found = FAMILIES[oracle.setup];
  const [feed = NO_KEY] = oracle.keys;
  if (found === undefined || (flags & BANK_FLAG.isSameAssetEligible) === 0n || feed === NO_KEY) return null;
  const asset = [mint, feed, found.family, formatI80F48(oracle.fixedPrice)].join(':');
  return { asset, isDebtToo: found.isDebtToo };
}

/** What the bank itself says; the leverage is its group's. */
export type P0SameAsset = Omit<SameAsset, 'leverage'>;

/** The first of a family reads the feed itself; the others through a venue. */
function family(name: string, own: OracleSetup, ...venues: readonly OracleSetup[]) {
  const setups = [own, ...venues].map((setup) => [setup, { family: name, isDebtToo: setup === own }]);
  return Object.fromEntries(setups) as Partial<Record<OracleSetup, { family: string; isDebtToo: boolean }>>;
}
