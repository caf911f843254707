import { getArrayCodec, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getI80F48Codec } from './i80f48.ts';
import { getInterestRateConfigCodec } from './interest-rate-config.ts';

/** Enum fields stay numbers, because a later program may write one that this build does not know. */
export function getBankConfigCodec() {
  return getStructCodec([
    ['assetWeightInit', getI80F48Codec()],
    ['assetWeightMaint', getI80F48Codec()],
    ['liabilityWeightInit', getI80F48Codec()],
    ['liabilityWeightMaint', getI80F48Codec()],
    ['depositLimit', getU64Codec()],
    ['interestRateConfig', getInterestRateConfigCodec()],
    ['operationalState', getU8Codec()],
    ['oracleSetup', getU8Codec()],
    ['oracleKeys', getArrayCodec(getAddressCodec(), { size: 5 })],
    ['_pad0', getPaddingCodec(6)],
    ['borrowLimit', getU64Codec()],
    ['riskTier', getU8Codec()],
    ['assetTag', getU8Codec()],
    ['configFlags', getU8Codec()],
    ['_pad1', getPaddingCodec(5)],
    ['totalAssetValueInitLimit', getU64Codec()],
    ['oracleMaxAge', getU16Codec()],
    ['_padding0', getPaddingCodec(2)],
    ['oracleMaxConfidence', getU32Codec()],
    ['fixedPrice', getI80F48Codec()],
    ['_padding1', getPaddingCodec(16)],
  ]);
}

/** Variant names in the order of their numbers. The last two exist from 0.1.9. */
export const BANK_OPERATIONAL_STATES = [
  'Paused',
  'Operational',
  'ReduceOnly',
  'KilledByBankruptcy',
  'Uninitialized',
  'ReduceOnlyWithBorrowingPower',
] as const;

/** Variant names in the order of their numbers. */
export const BANK_RISK_TIERS = ['Collateral', 'Isolated'] as const;

/** Variant names in the order of their numbers. */
export const BANK_ORACLE_SETUPS = [
  'None',
  'PythLegacy',
  'SwitchboardV2',
  'PythPushOracle',
  'SwitchboardPull',
  'StakedWithPythPush',
  'KaminoPythPush',
  'KaminoSwitchboardPull',
  'Fixed',
  'DriftPythPull',
  'DriftSwitchboardPull',
  'SolendPythPull',
  'SolendSwitchboardPull',
  'FixedKamino',
  'FixedDrift',
  'JuplendPythPull',
  'JuplendSwitchboardPull',
  'FixedJuplend',
] as const;
