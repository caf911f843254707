import {
  type EventLayout,
  endLiquidation,
  kaminoWithdraw,
  lendingAccountBorrow,
  lendingAccountBorrowEvent,
  lendingAccountDeposit,
  lendingAccountDepositEvent,
  lendingAccountEndFlashloan,
  lendingAccountRepay,
  lendingAccountRepayEvent,
  lendingAccountStartFlashloan,
  lendingAccountWithdraw,
  lendingAccountWithdrawEvent,
  liquidationReceiverEvent,
  startLiquidation,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { lendingCall, type MadeCall, madeAddress, tokenTransfer, told } from './made-trace.ts';

export const GROUP_KEY: Address = madeAddress(1);
export const ACCOUNT_KEY: Address = madeAddress(2);
export const WALLET: Address = madeAddress(3);
export const WALLET_TOKENS: Address = madeAddress(4);

/** What a made movement says; amounts in base units, shares raw. */
export interface MadeMovement {
  readonly amount: bigint;
  readonly shares?: bigint | null;
  /** Byte its bank, mint and vault are made of. */
  readonly bank?: number;
  readonly account?: Address;
  readonly authority?: Address;
  readonly signer?: Address;
  readonly isAll?: boolean;
  /** Origination fee of a borrow. */
  readonly fee?: bigint;
}

export const bankOf = (byte = 0x10): Address => madeAddress(byte);
export const mintOfBank = (byte = 0x10): Address => madeAddress(byte + 0x40);
export const vaultOf = (byte = 0x10): Address => madeAddress(byte + 0x80);

export function depositCall(made: MadeMovement): MadeCall {
  const { amount, bank, shares = null } = made;
  const event = told(lendingAccountDepositEvent, { ...eventOf(made), amount, shareAmount: shares });
  const inner = [tokenTransfer(WALLET_TOKENS, vaultOf(bank), amount, mintOfBank(bank))];
  return lendingCall(
    lendingAccountDeposit,
    accountsOf(made),
    { amount, depositUpToLimit: null },
    { inner, told: [event] },
  );
}

export function repayCall(made: MadeMovement): MadeCall {
  const { amount, bank, shares = null, isAll = false } = made;
  const fields = { ...eventOf(made), amount, closeBalance: isAll, shareAmount: shares };
  const inner = [tokenTransfer(WALLET_TOKENS, vaultOf(bank), amount, mintOfBank(bank))];
  const args = { amount: isAll ? 0n : amount, repayAll: isAll };
  return lendingCall(lendingAccountRepay, accountsOf(made), args, {
    inner,
    told: [told(lendingAccountRepayEvent, fields)],
  });
}

export function withdrawCall(made: MadeMovement): MadeCall {
  const { amount, bank, shares = null, isAll = false } = made;
  const fields = { ...eventOf(made), amount, closeBalance: isAll, shareAmount: shares };
  const inner = [tokenTransfer(vaultOf(bank), WALLET_TOKENS, amount, mintOfBank(bank))];
  const args = { amount: isAll ? 0n : amount, withdrawAll: isAll };
  const event = told(lendingAccountWithdrawEvent, fields);
  return lendingCall(lendingAccountWithdraw, accountsOf(made), args, { inner, told: [event] });
}

export function borrowCall(made: MadeMovement): MadeCall {
  const { amount, bank, shares = null, fee = 0n } = made;
  const event = told(lendingAccountBorrowEvent, { ...eventOf(made), amount: amount + fee, shareAmount: shares });
  const inner = [tokenTransfer(vaultOf(bank), WALLET_TOKENS, amount, mintOfBank(bank))];
  return lendingCall(lendingAccountBorrow, accountsOf(made), { amount }, { inner, told: [event] });
}

/** A withdrawal from a Kamino bank: called and told in cTokens, paid in tokens. */
export function kaminoWithdrawCall(made: MadeMovement & { readonly receipts: bigint }): MadeCall {
  const { amount, bank, shares = null, isAll = false, receipts } = made;
  const fields = { ...eventOf(made), amount: receipts, closeBalance: isAll, shareAmount: shares };
  const inner = [tokenTransfer(vaultOf(bank), WALLET_TOKENS, amount, mintOfBank(bank))];
  const accounts = { ...accountsOf(made), mint: mintOfBank(bank), liquidityTokenProgram: TOKEN_PROGRAM };
  const event = told(lendingAccountWithdrawEvent, fields);
  return lendingCall(kaminoWithdraw, accounts, { amount: receipts, flags: isAll ? 3 : 0 }, { inner, told: [event] });
}

export function startLoanCall(endIndex: number, account = ACCOUNT_KEY): MadeCall {
  const accounts = { marginfiAccount: account, authority: WALLET };
  return lendingCall(lendingAccountStartFlashloan, accounts, { endIndex: BigInt(endIndex) });
}

export function endLoanCall(account = ACCOUNT_KEY): MadeCall {
  return lendingCall(lendingAccountEndFlashloan, { marginfiAccount: account, authority: WALLET }, {});
}

export function startLiquidationCall(receiver: Address): MadeCall {
  return lendingCall(startLiquidation, { marginfiAccount: ACCOUNT_KEY, liquidationReceiver: receiver }, {});
}

export function endLiquidationCall(receiver: Address): MadeCall {
  const fields = { marginfiAccount: ACCOUNT_KEY, liquidationReceiver: receiver, lampsFeePaid: 0 };
  const event = told(liquidationReceiverEvent, {
    ...fields,
    liquidateeAssetsSeized: 1.5,
    liquidateeLiabilityRepaid: 1.25,
  });
  const accounts = { marginfiAccount: ACCOUNT_KEY, liquidationReceiver: receiver };
  return lendingCall(endLiquidation, accounts, {}, { told: [event] });
}

/** The header that the program's account events begin with. */
export function headerOf({ account = ACCOUNT_KEY, authority = WALLET, signer = WALLET }: Partial<MadeMovement> = {}) {
  return { signer, marginfiAccount: account, marginfiAccountAuthority: authority, marginfiGroup: GROUP_KEY };
}

type HeaderOf<TLayout> = TLayout extends EventLayout<infer T> ? T : never;
type Moved = Pick<HeaderOf<typeof lendingAccountDepositEvent>, 'header' | 'bank' | 'mint'>;

function eventOf(made: MadeMovement): Moved {
  return { header: headerOf(made), bank: bankOf(made.bank), mint: mintOfBank(made.bank) };
}

function accountsOf({ bank, account = ACCOUNT_KEY, signer = WALLET }: MadeMovement): Record<string, Address> {
  return {
    group: GROUP_KEY,
    marginfiAccount: account,
    authority: signer,
    bank: bankOf(bank),
    signerTokenAccount: WALLET_TOKENS,
    destinationTokenAccount: WALLET_TOKENS,
    liquidityVault: vaultOf(bank),
    tokenProgram: TOKEN_PROGRAM,
  };
}
