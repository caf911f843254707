import { account } from '#layout/account.ts';
import { type ArgsOf, pubkey, u8, u32, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const fee = struct({ basisPoints: u32 });

const list = struct({ account: pubkey, itemSize: u32, count: u32, newAccount: pubkey, copiedCount: u32 });

const stakeSystem = struct({
  stakeList: list,
  delayedUnstakeCoolingDown: u64,
  stakeDepositBumpSeed: u8,
  stakeWithdrawBumpSeed: u8,
  slotsForStakeDelta: u64,
  lastStakeDeltaEpoch: u64,
  minStake: u64,
  extraStakeDeltaRuns: u32,
});

const validatorSystem = struct({
  validatorList: list,
  managerAuthority: pubkey,
  totalValidatorScore: u32,
  totalActiveBalance: u64,
  autoAddValidatorEnabled: u8,
});

const liqPool = struct({
  lpMint: pubkey,
  lpMintAuthorityBumpSeed: u8,
  solLegBumpSeed: u8,
  msolLegAuthorityBumpSeed: u8,
  msolLeg: pubkey,
  lpLiquidityTarget: u64,
  lpMaxFee: fee,
  lpMinFee: fee,
  treasuryCut: fee,
  lpSupply: u64,
  lentFromSolLeg: u64,
  liquiditySolCap: u64,
});

/** Marinade's pool. `msolPrice` is SOL for one mSOL in units of 2^-32, as of the last instruction. Names are the IDL's (0.1.0). */
export const marinadeStateLayout = account('State', {
  msolMint: pubkey,
  adminAuthority: pubkey,
  operationalSolAccount: pubkey,
  treasuryMsolAccount: pubkey,
  reserveBumpSeed: u8,
  msolMintAuthorityBumpSeed: u8,
  rentExemptForTokenAcc: u64,
  rewardFee: fee,
  stakeSystem,
  validatorSystem,
  liqPool,
  availableReserveBalance: u64,
  msolSupply: u64,
  msolPrice: u64,
  circulatingTicketCount: u64,
  circulatingTicketBalance: u64,
  lentFromReserve: u64,
  minDeposit: u64,
  minWithdraw: u64,
  stakingSolCap: u64,
  emergencyCoolingDown: u64,
});

export type MarinadeState = ValueOf<typeof marinadeStateLayout>;

export type MarinadeStateArgs = ArgsOf<typeof marinadeStateLayout>;
