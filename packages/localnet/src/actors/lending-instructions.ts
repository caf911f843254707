import {
  type AccountSlot,
  type AccountsOf,
  ASSOCIATED_TOKEN_PROGRAM,
  encodeInstruction,
  type InstructionLayout,
  lendingAccountBorrow,
  lendingAccountDeposit,
  lendingAccountEndFlashloan,
  lendingAccountLiquidate,
  lendingAccountRepay,
  lendingAccountStartFlashloan,
  lendingAccountWithdraw,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountInitializePda,
} from '@lending/programs';
import { oracleAccountsOf, type P0Account } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { getAddressBytes } from '#engine/address-bytes.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { tokenProgramOf } from '#market/bank-addresses.ts';
import type { DemoBank } from '#market/demo-bank.ts';
import type { Actor } from './actor.ts';
import { type MarketView, tokenAccountOf, tokenOf } from './market-view.ts';

/** What an instruction moves: base units, or all there is. */
export type Amount = bigint | 'all';

/** The health accounts of a flash loan's inner instructions: none, since only its end is judged. */
export const IN_FLASH_LOAN: readonly Address[] = [];

export function openAccount({ wallet, account }: Actor): Instruction {
  const accounts = {
    marginfiGroup: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    authority: wallet,
    feePayer: wallet,
    instructionsSysvar: INSTRUCTIONS_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
  };
  return build(marginfiAccountInitializePda, accounts, { accountIndex: 0, thirdPartyId: null });
}

export function deposit(view: MarketView, actor: Actor, row: DemoBank, amount: bigint): Instruction {
  const args = { amount, depositUpToLimit: null };
  return build(lendingAccountDeposit, fromWallet(view, actor, row), args, mintOf(row));
}

export function repay(view: MarketView, actor: Actor, row: DemoBank, amount: Amount): Instruction {
  return build(lendingAccountRepay, fromWallet(view, actor, row), repayArgs(amount), mintOf(row));
}

export function borrow(
  view: MarketView,
  actor: Actor,
  row: DemoBank,
  amount: bigint,
  health: readonly Address[],
): Instruction {
  return build(lendingAccountBorrow, toWallet(view, actor, row), { amount }, [...mintOf(row), ...health]);
}

export function withdraw(
  view: MarketView,
  actor: Actor,
  row: DemoBank,
  amount: Amount,
  health: readonly Address[],
): Instruction {
  const args = amount === 'all' ? { amount: 0n, withdrawAll: true } : { amount, withdrawAll: null };
  return build(lendingAccountWithdraw, toWallet(view, actor, row), args, [...mintOf(row), ...health]);
}

/** Instructions between the start and the end of a flash loan; they must be all of the transaction. */
export function inFlashLoan(
  { wallet, account }: Actor,
  inner: readonly Instruction[],
  health: readonly Address[],
): readonly Instruction[] {
  const accounts = { marginfiAccount: account, authority: wallet };
  const endIndex = BigInt(inner.length + 1);
  return [
    build(lendingAccountStartFlashloan, { ...accounts, ixsSysvar: INSTRUCTIONS_SYSVAR }, { endIndex }),
    ...inner,
    build(lendingAccountEndFlashloan, accounts, {}, health),
  ];
}

/** Takes `assetAmount` of the victim's collateral and its worth, less the fees, of the victim's debt. */
export function liquidate(
  view: MarketView,
  actor: Actor,
  victim: P0Account,
  rows: { readonly asset: DemoBank; readonly liability: DemoBank },
  assetAmount: bigint,
): Instruction {
  const [asset, liability] = [view.bank(rows.asset.address), view.bank(rows.liability.address)];
  const held = view.account(actor.account)?.balances.map(({ bank }) => bank) ?? [];
  const ofLiquidator = healthAccounts(view, [...held, asset.address, liability.address]);
  const ofVictim = healthAccounts(
    view,
    victim.balances.map(({ bank }) => bank),
  );
  return build(
    lendingAccountLiquidate,
    {
      group: MARGINFI_MAIN_GROUP,
      assetBank: asset.address,
      liabBank: liability.address,
      liquidatorMarginfiAccount: actor.account,
      authority: actor.wallet,
      liquidateeMarginfiAccount: victim.address,
      bankLiquidityVaultAuthority: vaultPda('liquidity_vault_auth', liability.address),
      bankLiquidityVault: liability.liquidityVault,
      bankInsuranceVault: vaultPda('insurance_vault', liability.address),
      tokenProgram: tokenProgramOf(tokenOf(rows.liability)),
    },
    { assetAmount, liquidateeAccounts: ofVictim.length, liquidatorAccounts: ofLiquidator.length },
    [
      ...mintOf(rows.liability),
      ...oracleAccountsOf(asset),
      ...oracleAccountsOf(liability),
      ...ofLiquidator,
      ...ofVictim,
    ],
  );
}

/** Each bank with its oracle accounts, banks descending by their bytes, as the program reads them. */
export function healthAccounts(view: MarketView, banks: Iterable<Address>): readonly Address[] {
  return [...new Set(banks)]
    .toSorted((one, other) => Buffer.compare(getAddressBytes(other), getAddressBytes(one)))
    .flatMap((bank) => [bank, ...oracleAccountsOf(view.bank(bank))]);
}

/** Creates the owner's associated account of a bank's token, unless it is there. */
export function ensureTokenAccount({ wallet }: Actor, row: DemoBank): Instruction {
  const token = tokenOf(row);
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      { address: wallet, role: AccountRole.WRITABLE_SIGNER },
      { address: tokenAccountOf(wallet, token), role: AccountRole.WRITABLE },
      { address: wallet, role: AccountRole.READONLY },
      { address: token.mint, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
      { address: tokenProgramOf(token), role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(1),
  };
}

function repayArgs(amount: Amount) {
  return amount === 'all' ? { amount: 0n, repayAll: true } : { amount, repayAll: null };
}

function fromWallet(view: MarketView, actor: Actor, row: DemoBank) {
  return { ...commonAccounts(view, actor, row), signerTokenAccount: tokenAccountOf(actor.wallet, tokenOf(row)) };
}

function toWallet(view: MarketView, actor: Actor, row: DemoBank) {
  return {
    ...commonAccounts(view, actor, row),
    destinationTokenAccount: tokenAccountOf(actor.wallet, tokenOf(row)),
    bankLiquidityVaultAuthority: vaultPda('liquidity_vault_auth', row.address),
  };
}

function commonAccounts(view: MarketView, { wallet, account }: Actor, row: DemoBank) {
  return {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    authority: wallet,
    bank: row.address,
    liquidityVault: view.bank(row.address).liquidityVault,
    tokenProgram: tokenProgramOf(tokenOf(row)),
  };
}

/** A Token-2022 mint goes before the health accounts. */
function mintOf(row: DemoBank): readonly Address[] {
  const token = tokenOf(row);
  return token.tokenProgram === 'token_2022' ? [token.mint] : [];
}

/** Synchronous, unlike kit's: actors act while a slot opens. */
function vaultPda(seed: string, bank: Address): Address {
  return findProgramAddress([new TextEncoder().encode(seed), getAddressBytes(bank)], MARGINFI_PROGRAM).address;
}

function build<const TSlots extends readonly AccountSlot[], TArgs>(
  layout: InstructionLayout<TSlots, TArgs>,
  accounts: AccountsOf<TSlots>,
  args: TArgs,
  remaining: readonly Address[] = [],
): Instruction {
  const metas = remaining.map((address) => ({ address, role: AccountRole.READONLY }));
  return encodeInstruction(layout, MARGINFI_PROGRAM, accounts, args, metas);
}
