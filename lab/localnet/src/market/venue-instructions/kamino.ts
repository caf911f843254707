import {
  getAddressBytes,
  INSTRUCTIONS_SYSVAR,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  type KlendReserve,
  kaminoDeposit,
  kaminoWithdraw,
  klendDepositReserveLiquidity,
  klendRedeemReserveCollateral,
  klendRefreshObligation,
  klendRefreshReserve,
  klendReserveLayout,
  MARGINFI_MAIN_GROUP,
  NO_KEY,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { findProgramAddress } from '#engine/derived-address.ts';
import {
  associatedAccountOf,
  buildFor,
  type Owner,
  p0Instruction,
  tokenAccountOf,
  tokenOf,
  vaultAuthorityOf,
} from '../lending-instructions.ts';
import { obligationOf, venueAccountOf } from './integration-accounts.ts';
import type { ReadAccount, ReserveInstructions, VenueInstructions } from './venue-instructions.ts';

const WITHDRAW_ALL = 1;
const klend = buildFor(KLEND_PROGRAM);

/** Reserves of the demo market have no farms, so their instructions name none. */
export const kaminoInstructions: VenueInstructions = {
  rates: {
    refresh: (bank, read) => [refreshReserve(venueAccountOf(bank), readReserve(bank, read))],
    accounts: (bank, asked, read) => (asked === 'rate' ? [readReserve(bank, read).lendingMarket] : []),
  },
  refresh: (bank, read) => refresh(bank, readReserve(bank, read)),
  deposit: (owner, bank, amount, read) => {
    const reserve = readReserve(bank, read);
    const accounts = {
      ...accountsOf(owner, bank, reserve),
      signerTokenAccount: tokenAccountOf(owner.wallet, tokenOf(bank)),
      reserveDestinationDepositCollateral: reserve.collateral.supplyVault,
    };
    return [...refresh(bank, reserve), p0Instruction(kaminoDeposit, accounts, { amount, refreshReserve: null })];
  },
  withdraw: (owner, bank, amount, health, read) => {
    const reserve = readReserve(bank, read);
    const accounts = {
      ...accountsOf(owner, bank, reserve),
      destinationTokenAccount: tokenAccountOf(owner.wallet, tokenOf(bank)),
      reserveSourceCollateral: reserve.collateral.supplyVault,
    };
    const args = amount === 'all' ? { amount: 0n, flags: WITHDRAW_ALL } : { amount, flags: null };
    return [...refresh(bank, reserve), p0Instruction(kaminoWithdraw, accounts, args, health)];
  },
};

export const kaminoReserveInstructions: ReserveInstructions = {
  receiptOf: (address, read) => ({ mint: decode(address, read).collateral.mintPubkey, tokenProgram: TOKEN_PROGRAM }),
  refresh: (address, read) => refreshReserve(address, decode(address, read)),
  supply: (wallet, address, liquidityAmount, read) => {
    const reserve = decode(address, read);
    const { tokens, receipts, ...accounts } = customerAccounts(wallet, address, reserve);
    const named = { ...accounts, userSourceLiquidity: tokens, userDestinationCollateral: receipts };
    return [refreshReserve(address, reserve), klend(klendDepositReserveLiquidity, named, { liquidityAmount })];
  },
  redeem: (wallet, address, collateralAmount, read) => {
    const reserve = decode(address, read);
    const { tokens, receipts, ...accounts } = customerAccounts(wallet, address, reserve);
    const named = { ...accounts, userSourceCollateral: receipts, userDestinationLiquidity: tokens };
    return [refreshReserve(address, reserve), klend(klendRedeemReserveCollateral, named, { collateralAmount })];
  },
};

function customerAccounts(wallet: Address, address: Address, { lendingMarket, liquidity, collateral }: KlendReserve) {
  const { mintPubkey: mint, tokenProgram } = liquidity;
  return {
    owner: wallet,
    reserve: address,
    lendingMarket,
    lendingMarketAuthority: marketAuthorityOf(lendingMarket),
    reserveLiquidityMint: mint,
    reserveLiquiditySupply: liquidity.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    tokens: associatedAccountOf({ owner: wallet, mint, tokenProgram }),
    receipts: associatedAccountOf({ owner: wallet, mint: collateral.mintPubkey, tokenProgram: TOKEN_PROGRAM }),
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: tokenProgram,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
}

function refreshReserve(address: Address, { lendingMarket, config }: KlendReserve): Instruction {
  const { pythConfiguration, switchboardConfiguration, scopeConfiguration } = config.tokenInfo;
  return klend(
    klendRefreshReserve,
    {
      reserve: address,
      lendingMarket,
      pythOracle: named(pythConfiguration.price),
      switchboardPriceOracle: named(switchboardConfiguration.priceAggregator),
      switchboardTwapOracle: named(switchboardConfiguration.twapAggregator),
      scopePrices: named(scopeConfiguration.priceFeed),
    },
    {},
  );
}

function refresh(bank: P0Bank, reserve: KlendReserve): readonly Instruction[] {
  const address = venueAccountOf(bank);
  const accounts = { lendingMarket: reserve.lendingMarket, obligation: obligationOf(bank) };
  return [
    refreshReserve(address, reserve),
    klend(klendRefreshObligation, accounts, {}, [{ address, role: AccountRole.WRITABLE }]),
  ];
}

function accountsOf({ wallet, account }: Owner, bank: P0Bank, reserve: KlendReserve) {
  const { lendingMarket, liquidity, collateral } = reserve;
  return {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    authority: wallet,
    bank: bank.address,
    liquidityVaultAuthority: vaultAuthorityOf('liquidity', bank),
    liquidityVault: bank.liquidityVault,
    integrationAcc2: obligationOf(bank),
    lendingMarket,
    lendingMarketAuthority: marketAuthorityOf(lendingMarket),
    integrationAcc1: venueAccountOf(bank),
    mint: bank.mint,
    reserveLiquiditySupply: liquidity.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    obligationFarmUserState: null,
    reserveFarmState: null,
    kaminoProgram: KLEND_PROGRAM,
    farmsProgram: KAMINO_FARMS_PROGRAM,
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: liquidity.tokenProgram,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
}

function readReserve(bank: P0Bank, read: ReadAccount): KlendReserve {
  return decode(venueAccountOf(bank), read);
}

function decode(address: Address, read: ReadAccount): KlendReserve {
  return klendReserveLayout.decode(read(address));
}

function marketAuthorityOf(market: Address): Address {
  return findProgramAddress([new TextEncoder().encode('lma'), getAddressBytes(market)], KLEND_PROGRAM).address;
}

function named(key: Address): Address | null {
  return key === NO_KEY ? null : key;
}
