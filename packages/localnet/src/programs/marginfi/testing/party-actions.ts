import {
  type AccountSlot,
  type AccountsOf,
  ASSOCIATED_TOKEN_PROGRAM,
  encodeInstruction,
  type InstructionLayout,
  lendingAccountBorrow,
  lendingAccountCloseBalance,
  lendingAccountDeposit,
  lendingAccountEndFlashloan,
  lendingAccountLiquidate,
  lendingAccountPulseHealth,
  lendingAccountRepay,
  lendingAccountStartFlashloan,
  lendingAccountWithdraw,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountClose,
  marginfiAccountInitialize,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { getAddressBytes } from '#engine/address-bytes.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { tokenProgramOf } from '#market/bank-addresses.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import type { Party } from './market-chain.ts';

/** The instructions that a party sends, with their accounts filled in. `list` is the health list. */
export const act = {
  initialize: ({ wallet, account }: Party) =>
    build(
      marginfiAccountInitialize,
      {
        marginfiGroup: MARGINFI_MAIN_GROUP,
        marginfiAccount: account,
        authority: wallet,
        feePayer: wallet,
        systemProgram: SYSTEM_PROGRAM,
      },
      {},
    ),
  close: ({ wallet, account }: Party) =>
    build(marginfiAccountClose, { marginfiAccount: account, authority: wallet, feePayer: wallet }, {}),
  deposit: (party: Party, bank: P0Bank, amount: bigint, depositUpToLimit: boolean | null = null) =>
    build(lendingAccountDeposit, fromWallet(party, bank), { amount, depositUpToLimit }, mintOf(bank)),
  repay: (party: Party, bank: P0Bank, amount: bigint, repayAll: boolean | null = null) =>
    build(lendingAccountRepay, fromWallet(party, bank), { amount, repayAll }, mintOf(bank)),
  withdraw: (
    party: Party,
    bank: P0Bank,
    amount: bigint,
    list: readonly Address[],
    withdrawAll: boolean | null = null,
  ) => build(lendingAccountWithdraw, toWallet(party, bank), { amount, withdrawAll }, [...mintOf(bank), ...list]),
  borrow: (party: Party, bank: P0Bank, amount: bigint, list: readonly Address[]) =>
    build(lendingAccountBorrow, toWallet(party, bank), { amount }, [...mintOf(bank), ...list]),
  closeBalance: ({ wallet, account }: Party, bank: P0Bank) =>
    build(
      lendingAccountCloseBalance,
      {
        group: MARGINFI_MAIN_GROUP,
        marginfiAccount: account,
        authority: wallet,
        bank: bank.address,
      },
      {},
    ),
  startFlashloan: ({ wallet, account }: Party, endIndex: bigint) =>
    build(
      lendingAccountStartFlashloan,
      {
        marginfiAccount: account,
        authority: wallet,
        ixsSysvar: INSTRUCTIONS_SYSVAR,
      },
      { endIndex },
    ),
  endFlashloan: ({ wallet, account }: Party, list: readonly Address[]) =>
    build(lendingAccountEndFlashloan, { marginfiAccount: account, authority: wallet }, {}, list),
  pulse: (account: Address, list: readonly Address[]) =>
    build(lendingAccountPulseHealth, { marginfiAccount: account }, {}, list),
  liquidate: (
    liquidator: Party,
    liquidatee: Address,
    banks: { readonly asset: P0Bank; readonly liability: P0Bank },
    assetAmount: bigint,
    lists: {
      readonly oracles: readonly Address[];
      readonly liquidator: readonly Address[];
      readonly liquidatee: readonly Address[];
    },
  ) =>
    build(
      lendingAccountLiquidate,
      {
        group: MARGINFI_MAIN_GROUP,
        assetBank: banks.asset.address,
        liabBank: banks.liability.address,
        liquidatorMarginfiAccount: liquidator.account,
        authority: liquidator.wallet,
        liquidateeMarginfiAccount: liquidatee,
        bankLiquidityVaultAuthority: vaultOf('liquidity_vault_auth', banks.liability),
        bankLiquidityVault: banks.liability.liquidityVault,
        bankInsuranceVault: vaultOf('insurance_vault', banks.liability),
        tokenProgram: tokenProgramOf(tokenOf(banks.liability)),
      },
      {
        assetAmount,
        liquidateeAccounts: lists.liquidatee.length,
        liquidatorAccounts: lists.liquidator.length,
      },
      [...mintOf(banks.liability), ...lists.oracles, ...lists.liquidator, ...lists.liquidatee],
    ),
} as const;

/** An instruction with `remaining` accounts that may be written to: that is how banks' own programs see them. */
export function build<const TSlots extends readonly AccountSlot[], TArgs>(
  layout: InstructionLayout<TSlots, TArgs>,
  accounts: AccountsOf<TSlots>,
  args: TArgs,
  remaining: readonly Address[] = [],
): Instruction {
  const metas = remaining.map((address) => ({ address, role: AccountRole.READONLY }));
  return encodeInstruction(layout, MARGINFI_PROGRAM, accounts, args, metas);
}

export function vaultOf(seed: string, bank: P0Bank): Address {
  return findProgramAddress([new TextEncoder().encode(seed), getAddressBytes(bank.address)], MARGINFI_PROGRAM).address;
}

export function tokenAccountOf({ wallet }: Party, bank: P0Bank): Address {
  const token = tokenOf(bank);
  const seeds = [wallet, tokenProgramOf(token), token.mint].map(getAddressBytes);
  return findProgramAddress(seeds, ASSOCIATED_TOKEN_PROGRAM).address;
}

function fromWallet(party: Party, bank: P0Bank) {
  return { ...lendingAccounts(party, bank), signerTokenAccount: tokenAccountOf(party, bank) };
}

function toWallet(party: Party, bank: P0Bank) {
  return {
    ...lendingAccounts(party, bank),
    destinationTokenAccount: tokenAccountOf(party, bank),
    bankLiquidityVaultAuthority: vaultOf('liquidity_vault_auth', bank),
  };
}

function lendingAccounts({ wallet, account }: Party, bank: P0Bank) {
  return {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    authority: wallet,
    bank: bank.address,
    liquidityVault: bank.liquidityVault,
    tokenProgram: tokenProgramOf(tokenOf(bank)),
  };
}

function mintOf(bank: P0Bank): readonly Address[] {
  const token = tokenOf(bank);
  return token.tokenProgram === 'token_2022' ? [token.mint] : [];
}

function tokenOf(bank: P0Bank) {
  const token = Object.values(DEMO_TOKENS).find(({ mint }) => mint === bank.mint);
  if (token === undefined) throw new TypeError(`No demo token ${bank.mint}`);
  return token;
}
