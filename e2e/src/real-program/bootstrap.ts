import { parseI80F48 } from '@lending/domain';
import {
  encodeInstruction,
  findFeeState,
  lendingPoolConfigureBankOracle,
  MARGINFI_PROGRAM,
  marginfiGroupInitialize,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { AccountRole, type Instruction } from '@solana/kit';
import { ADMIN, FEE_WALLET, GROUP, PROGRAM_MULTISIG, RENT_SYSVAR, SYSTEM_PROGRAM } from './addresses.ts';
import { initGlobalFeeState, lendingPoolAddBank } from './bootstrap-instructions.ts';
import type { Chain } from './chain.ts';
import { legacyCurve, MARKET, type MarketBank, ORACLE_MAX_AGE, PROGRAM_FEE } from './market.ts';

const OPERATIONAL = 1;
const PYTH_PUSH = 3;
export const [FEE_STATE, FEE_STATE_BUMP] = await findFeeState();

/** Sets the market up with the program's own admin instructions. @throws Error with the program's logs when it refuses. */
export function bootstrap(chain: Chain): void {
  const send = (instruction: Instruction) => {
    const { error, logs } = chain.send([instruction]);
    if (error !== null) throw new Error(`Bootstrap failed: ${JSON.stringify(error)}\n${logs.join('\n')}`);
  };
  send(
    encodeInstruction(
      initGlobalFeeState,
      MARGINFI_PROGRAM,
      { payer: PROGRAM_MULTISIG, feeState: FEE_STATE, rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM },
      {
        admin: ADMIN,
        feeWallet: FEE_WALLET,
        bankInitFlatSolFee: 10_000,
        programFeeFixed: PROGRAM_FEE.fixed,
        programFeeRate: PROGRAM_FEE.rate,
      },
    ),
  );
  const group = { marginfiGroup: GROUP, admin: ADMIN, feeState: FEE_STATE, systemProgram: SYSTEM_PROGRAM };
  send(encodeInstruction(marginfiGroupInitialize, MARGINFI_PROGRAM, group, {}));
  for (const bank of MARKET.values()) {
    send(addBank(bank));
    send(configureOracle(bank));
  }
}

function addBank(bank: MarketBank): Instruction {
  const { liquidity, insurance, fee } = bank.vaults;
  return encodeInstruction(
    lendingPoolAddBank,
    MARGINFI_PROGRAM,
    {
      marginfiGroup: GROUP,
      admin: ADMIN,
      feePayer: ADMIN,
      feeState: FEE_STATE,
      globalFeeWallet: FEE_WALLET,
      bankMint: bank.mint,
      bank: bank.address,
      liquidityVaultAuthority: liquidity.authority,
      liquidityVault: liquidity.address,
      insuranceVaultAuthority: insurance.authority,
      insuranceVault: insurance.address,
      feeVaultAuthority: fee.authority,
      feeVault: fee.address,
      rent: RENT_SYSVAR,
      tokenProgram: TOKEN_PROGRAM,
      systemProgram: SYSTEM_PROGRAM,
    },
    {
      assetWeightInit: parseI80F48(bank.weights.assetInit),
      assetWeightMaint: parseI80F48(bank.weights.assetMaint),
      liabilityWeightInit: parseI80F48(bank.weights.liabilityInit),
      liabilityWeightMaint: parseI80F48(bank.weights.liabilityMaint),
      depositLimit: bank.depositLimit,
      ...legacyCurve(bank),
      insuranceFeeFixedApr: parseI80F48(bank.fees.insuranceFixed),
      insuranceIrFee: parseI80F48(bank.fees.insuranceRate),
      protocolFixedFeeApr: parseI80F48(bank.fees.groupFixed),
      protocolIrFee: parseI80F48(bank.fees.groupRate),
      protocolOriginationFee: parseI80F48(bank.fees.origination),
      operationalState: OPERATIONAL,
      borrowLimit: bank.borrowLimit,
      riskTier: bank.isIsolated ? 1 : 0,
      assetTag: 0,
      padding: [0, 0, 0, 0, 0, 0],
      totalAssetValueInitLimit: bank.initLimitUsd,
      oracleMaxAge: ORACLE_MAX_AGE,
    },
  );
}

function configureOracle(bank: MarketBank): Instruction {
  return encodeInstruction(
    lendingPoolConfigureBankOracle,
    MARGINFI_PROGRAM,
    { group: GROUP, admin: ADMIN, bank: bank.address },
    { setup: PYTH_PUSH, oracle: bank.oracle },
    [{ address: bank.oracle, role: AccountRole.READONLY }],
  );
}
