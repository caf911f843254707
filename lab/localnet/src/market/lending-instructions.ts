import {
  type AccountsOf,
  ASSOCIATED_TOKEN_PROGRAM,
  encodeInstruction,
  getAddressBytes,
  INSTRUCTIONS_SYSVAR,
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
  lendingPoolPulseBankPriceCache,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountClose,
  marginfiAccountInitialize,
  marginfiAccountInitializePda,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { oracleAccountsOf, type P0Bank } from '@lending/venues';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import { findProgramAddress } from '#engine/derived-address.ts';
import { tokenProgramOf } from './bank-addresses.ts';
import { DEMO_TOKENS, type DemoToken } from './tokens.ts';

/** Who sends an instruction: a wallet, and its lending account, which need not exist yet. */
export interface Owner {
  readonly wallet: Address;
  readonly account: Address;
}

/** The program's one fee state. */
export const FEE_STATE_ADDRESS = findProgramAddress([new TextEncoder().encode('feestate')], MARGINFI_PROGRAM).address;

/** What an instruction moves: base units, or all there is, which also frees the slot. */
export type Amount = bigint | 'all';

/** Opens an account whose address is a key pair's. */
export function initializeAccount({ wallet, account }: Owner): Instruction {
  return p0Instruction(
    marginfiAccountInitialize,
    {
      marginfiGroup: MARGINFI_MAIN_GROUP,
      marginfiAccount: account,
      authority: wallet,
      feePayer: wallet,
      systemProgram: SYSTEM_PROGRAM,
    },
    {},
  );
}

/** Opens the account of index 0 that is derived from the wallet. */
export function openAccount({ wallet, account }: Owner): Instruction {
  return p0Instruction(
    marginfiAccountInitializePda,
    {
      marginfiGroup: MARGINFI_MAIN_GROUP,
      marginfiAccount: account,
      authority: wallet,
      feePayer: wallet,
      instructionsSysvar: INSTRUCTIONS_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    { accountIndex: 0, thirdPartyId: null },
  );
}

export function closeAccount({ wallet, account }: Owner): Instruction {
  const accounts = {
    marginfiAccount: account,
    authority: wallet,
    feePayer: wallet,
    rebalanceFeePool: feePoolOf(account),
  };
  return p0Instruction(marginfiAccountClose, accounts, {});
}

/** The pool of an account, from which keepers of its orders to rebalance are paid. */
export function feePoolOf(account: Address): Address {
  const seeds = [new TextEncoder().encode('rebalance_fee_pool'), getAddressBytes(account)];
  return findProgramAddress(seeds, MARGINFI_PROGRAM).address;
}

/** @param depositUpToLimit takes less than `amount` where the bank has not room for all of it. */
export function deposit(
  owner: Owner,
  bank: P0Bank,
  amount: bigint,
  depositUpToLimit: boolean | null = null,
): Instruction {
  return p0Instruction(lendingAccountDeposit, fromWallet(owner, bank), { amount, depositUpToLimit }, mintOf(bank));
}

export function repay(owner: Owner, bank: P0Bank, amount: Amount): Instruction {
  const args = amount === 'all' ? { amount: 0n, repayAll: true } : { amount, repayAll: null };
  return p0Instruction(lendingAccountRepay, fromWallet(owner, bank), args, mintOf(bank));
}

/** @param health the health list as it stands after the withdrawal. */
export function withdraw(owner: Owner, bank: P0Bank, amount: Amount, health: readonly Address[]): Instruction {
  const args = amount === 'all' ? { amount: 0n, withdrawAll: true } : { amount, withdrawAll: null };
  return p0Instruction(lendingAccountWithdraw, toWallet(owner, bank), args, [...mintOf(bank), ...health]);
}

/** @param health the health list as it stands after the borrow. */
export function borrow(owner: Owner, bank: P0Bank, amount: bigint, health: readonly Address[]): Instruction {
  return p0Instruction(lendingAccountBorrow, toWallet(owner, bank), { amount }, [...mintOf(bank), ...health]);
}

export function closeBalance({ wallet, account }: Owner, bank: P0Bank): Instruction {
  const accounts = { group: MARGINFI_MAIN_GROUP, marginfiAccount: account, authority: wallet, bank: bank.address };
  return p0Instruction(lendingAccountCloseBalance, accounts, {});
}

/** @param endIndex where in the transaction the loan's end stands, counted from 0. */
export function startFlashLoan({ wallet, account }: Owner, endIndex: bigint): Instruction {
  const accounts = { marginfiAccount: account, authority: wallet, ixsSysvar: INSTRUCTIONS_SYSVAR };
  return p0Instruction(lendingAccountStartFlashloan, accounts, { endIndex });
}

export function endFlashLoan({ wallet, account }: Owner, health: readonly Address[]): Instruction {
  const accounts = { marginfiAccount: account, group: MARGINFI_MAIN_GROUP, authority: wallet };
  return p0Instruction(lendingAccountEndFlashloan, accounts, {}, health);
}

export function pulseHealth(account: Address, health: readonly Address[]): Instruction {
  const accounts = { marginfiAccount: account, group: MARGINFI_MAIN_GROUP };
  return p0Instruction(lendingAccountPulseHealth, accounts, {}, health);
}

/** Has a bank's price read: its cache keeps it, and its circuit breaker looks at it. Anyone may send it. */
export function pulsePrice(bank: P0Bank): Instruction {
  const accounts = { group: MARGINFI_MAIN_GROUP, bank: bank.address };
  return p0Instruction(lendingPoolPulseBankPriceCache, accounts, {}, oracleAccountsOf(bank));
}

/**
 * Takes `assetAmount` base units of the liquidatee's collateral, and its worth, less the fees, of the liquidatee's debt.
 * @param lists the oracle accounts of both banks, and the health lists of both accounts as they stand after it.
 */
export function liquidate(
  liquidator: Owner,
  liquidatee: Address,
  banks: { readonly asset: P0Bank; readonly liability: P0Bank },
  assetAmount: bigint,
  lists: {
    readonly oracles: readonly Address[];
    readonly liquidator: readonly Address[];
    readonly liquidatee: readonly Address[];
  },
): Instruction {
  const { asset, liability } = banks;
  return p0Instruction(
    lendingAccountLiquidate,
    {
      group: MARGINFI_MAIN_GROUP,
      assetBank: asset.address,
      liabBank: liability.address,
      liquidatorMarginfiAccount: liquidator.account,
      authority: liquidator.wallet,
      liquidateeMarginfiAccount: liquidatee,
      bankLiquidityVaultAuthority: vaultAuthorityOf('liquidity', liability),
      bankLiquidityVault: liability.liquidityVault,
      bankInsuranceVault: liability.insuranceVault,
      tokenProgram: tokenProgramOf(tokenOf(liability)),
    },
    { assetAmount, liquidateeAccounts: lists.liquidatee.length, liquidatorAccounts: lists.liquidator.length },
    [...mintOf(liability), ...lists.oracles, ...lists.liquidator, ...lists.liquidatee],
  );
}

/** The health list of an account that holds these banks: each with its oracle accounts, banks descending by their bytes. */
export function healthAccounts(banks: Iterable<P0Bank>): readonly Address[] {
  const byAddress = new Map([...banks].map((bank) => [bank.address, bank]));
  return [...byAddress.values()]
    .toSorted((one, other) => Buffer.compare(getAddressBytes(other.address), getAddressBytes(one.address)))
    .flatMap((bank) => [bank.address, ...oracleAccountsOf(bank)]);
}

/** Creates the owner's associated account of a bank's token, unless it is there. */
export function ensureTokenAccount({ wallet }: Owner, bank: P0Bank): Instruction {
  const token = tokenOf(bank);
  return ensureAssociatedAccount(wallet, { owner: wallet, mint: token.mint, tokenProgram: tokenProgramOf(token) });
}

/** Whose tokens of which mint. */
export interface Holding {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** Creates an associated account, unless it is there. */
export function ensureAssociatedAccount(payer: Address, { owner, mint, tokenProgram }: Holding): Instruction {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: associatedAccountOf({ owner, mint, tokenProgram }), role: AccountRole.WRITABLE },
      { address: owner, role: AccountRole.READONLY },
      { address: mint, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
      { address: tokenProgram, role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
  };
}

const CREATE_IDEMPOTENT = 1;

export function associatedAccountOf({ owner, mint, tokenProgram }: Holding): Address {
  return findProgramAddress([owner, tokenProgram, mint].map(getAddressBytes), ASSOCIATED_TOKEN_PROGRAM).address;
}

/** A wallet's associated account of a token. */
export function tokenAccountOf(wallet: Address, token: DemoToken): Address {
  return associatedAccountOf({ owner: wallet, mint: token.mint, tokenProgram: tokenProgramOf(token) });
}

export function tokenOf(bank: P0Bank): DemoToken {
  const token = Object.values(DEMO_TOKENS).find(({ mint }) => mint === bank.mint);
  if (token === undefined) throw new TypeError(`The demo market has no token ${bank.mint}`);
  return token;
}

/** Synchronous, unlike `findBankVaultAuthority`: people act while a slot opens. */
export function vaultAuthorityOf(vault: 'liquidity' | 'insurance', { address }: P0Bank): Address {
  const seed = new TextEncoder().encode(`${vault}_vault_auth`);
  return findProgramAddress([seed, getAddressBytes(address)], MARGINFI_PROGRAM).address;
}

function fromWallet(owner: Owner, bank: P0Bank) {
  return { ...bankAccounts(owner, bank), signerTokenAccount: tokenAccountOf(owner.wallet, tokenOf(bank)) };
}

function toWallet(owner: Owner, bank: P0Bank) {
  return {
    ...bankAccounts(owner, bank),
    destinationTokenAccount: tokenAccountOf(owner.wallet, tokenOf(bank)),
    bankLiquidityVaultAuthority: vaultAuthorityOf('liquidity', bank),
  };
}

function bankAccounts({ wallet, account }: Owner, bank: P0Bank) {
  return {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    authority: wallet,
    bank: bank.address,
    liquidityVault: bank.liquidityVault,
    tokenProgram: tokenProgramOf(tokenOf(bank)),
  };
}

/** A Token-2022 mint goes before the health list. */
function mintOf(bank: P0Bank): readonly Address[] {
  const token = tokenOf(bank);
  return token.tokenProgram === 'token_2022' ? [token.mint] : [];
}

/** Builds instructions of one program from names: accounts by their slot, what follows them read-only unless it says otherwise. */
export function buildFor(program: Address) {
  return <TList extends string, TArgs>(
    layout: InstructionLayout<TList, TArgs>,
    accounts: AccountsOf<TList>,
    args: TArgs,
    remaining: readonly (Address | AccountMeta)[] = [],
  ): Instruction => {
    const metas = remaining.map((one) =>
      typeof one === 'string' ? { address: one, role: AccountRole.READONLY } : one,
    );
    return encodeInstruction(layout, program, accounts, args, metas);
  };
}

/** The same for the lending program itself. */
export const p0Instruction = buildFor(MARGINFI_PROGRAM);
