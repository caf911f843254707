import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

/** Anchor's hash of `account:State`, which Drift's state has, too: the owner tells them apart. */
export const MARINADE_STATE_DISCRIMINATOR = new Uint8Array([216, 146, 107, 94, 104, 75, 182, 177]);
/** Bytes of the fields below. The account is longer: newer fields and reserve follow. */
export const MARINADE_STATE_FIELDS_SIZE = 576;

function getFeeCodec() {
  return getStructCodec([['basisPoints', getU32Codec()]]);
}

function getListCodec() {
  return getStructCodec([
    ['account', getAddressCodec()],
    ['itemSize', getU32Codec()],
    ['count', getU32Codec()],
    ['newAccount', getAddressCodec()],
    ['copiedCount', getU32Codec()],
  ]);
}

function getStakeSystemCodec() {
  return getStructCodec([
    ['stakeList', getListCodec()],
    ['delayedUnstakeCoolingDown', getU64Codec()],
    ['stakeDepositBumpSeed', getU8Codec()],
    ['stakeWithdrawBumpSeed', getU8Codec()],
    ['slotsForStakeDelta', getU64Codec()],
    ['lastStakeDeltaEpoch', getU64Codec()],
    ['minStake', getU64Codec()],
    ['extraStakeDeltaRuns', getU32Codec()],
  ]);
}

function getValidatorSystemCodec() {
  return getStructCodec([
    ['validatorList', getListCodec()],
    ['managerAuthority', getAddressCodec()],
    ['totalValidatorScore', getU32Codec()],
    ['totalActiveBalance', getU64Codec()],
    ['autoAddValidatorEnabled', getU8Codec()],
  ]);
}

function getLiqPoolCodec() {
  return getStructCodec([
    ['lpMint', getAddressCodec()],
    ['lpMintAuthorityBumpSeed', getU8Codec()],
    ['solLegBumpSeed', getU8Codec()],
    ['msolLegAuthorityBumpSeed', getU8Codec()],
    ['msolLeg', getAddressCodec()],
    ['lpLiquidityTarget', getU64Codec()],
    ['lpMaxFee', getFeeCodec()],
    ['lpMinFee', getFeeCodec()],
    ['treasuryCut', getFeeCodec()],
    ['lpSupply', getU64Codec()],
    ['lentFromSolLeg', getU64Codec()],
    ['liquiditySolCap', getU64Codec()],
  ]);
}

/** Marinade's pool. `msolPrice` is SOL for one mSOL in units of 2^-32, as of the last instruction. Names are the IDL's (0.1.0). */
export function getMarinadeStateCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['msolMint', getAddressCodec()],
      ['adminAuthority', getAddressCodec()],
      ['operationalSolAccount', getAddressCodec()],
      ['treasuryMsolAccount', getAddressCodec()],
      ['reserveBumpSeed', getU8Codec()],
      ['msolMintAuthorityBumpSeed', getU8Codec()],
      ['rentExemptForTokenAcc', getU64Codec()],
      ['rewardFee', getFeeCodec()],
      ['stakeSystem', getStakeSystemCodec()],
      ['validatorSystem', getValidatorSystemCodec()],
      ['liqPool', getLiqPoolCodec()],
      ['availableReserveBalance', getU64Codec()],
      ['msolSupply', getU64Codec()],
      ['msolPrice', getU64Codec()],
      ['circulatingTicketCount', getU64Codec()],
      ['circulatingTicketBalance', getU64Codec()],
      ['lentFromReserve', getU64Codec()],
      ['minDeposit', getU64Codec()],
      ['minWithdraw', getU64Codec()],
      ['stakingSolCap', getU64Codec()],
      ['emergencyCoolingDown', getU64Codec()],
    ]),
    [getConstantCodec(MARINADE_STATE_DISCRIMINATOR)],
  );
}

export type MarinadeState = ReturnType<ReturnType<typeof getMarinadeStateCodec>['decode']>;
export type MarinadeStateArgs = Parameters<ReturnType<typeof getMarinadeStateCodec>['encode']>[0];

export function getMarinadeStateEncoder(): FixedSizeEncoder<MarinadeStateArgs> {
  return getMarinadeStateCodec();
}

export function getMarinadeStateDecoder(): FixedSizeDecoder<MarinadeState> {
  return getMarinadeStateCodec();
}
