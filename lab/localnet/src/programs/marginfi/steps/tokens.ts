import { amountBeforeFee, type TransferFee } from '@lending/domain';
import { TOKEN_PROGRAM } from '@lending/programs';
import { areBytesEqual, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { assertDifferent, assertTokenOwned, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { EXTENSION, findExtension, rateInEpoch } from '../../token/extensions.ts';
import { MINT } from '../../token/token-state.ts';
import { fail, panic } from '../marginfi-error.ts';
import type { BankState } from '../state/bank-state.ts';

const TRANSFER = 3;
const TRANSFER_CHECKED = 12;

/** The mint of a Token-2022 bank, which comes before the accounts of the health check; null with the classic program. */
export interface TakenMint {
  readonly mint: InstructionAccount | null;
  readonly remaining: readonly InstructionAccount[];
}

/** @throws AnchorError T22MintRequired */
export function takeBankMint(
  context: InvokeContext,
  bank: BankState,
  tokenProgram: NamedAccount,
  remaining: readonly InstructionAccount[],
): TakenMint {
  if (tokenProgram.account.address === TOKEN_PROGRAM) return { mint: null, remaining };
  const [mint, ...rest] = remaining;
  if (mint === undefined) return fail('T22MintRequired');
  if (!areBytesEqual(bank.mint, mint.key)) fail('T22MintRequired');
  try {
    assertTokenOwned(mint, 'mint');
  } catch (error) {
    if (!(error instanceof InstructionError)) throw error;
    context.log(`failed to parse mint account: ${error.message}`);
    return fail('T22MintRequired');
  }
  return { mint, remaining: rest };
}

/** The fee a Token-2022 mint keeps of a transfer in this epoch; null where it keeps none. */
export function transferFeeOf(context: InvokeContext, mint: InstructionAccount | null): TransferFee | null {
  if (mint === null || mint.owner === TOKEN_PROGRAM) return null;
  const extension = findExtension(mint.data, EXTENSION.transferFeeConfig);
  if (extension === undefined) return null;
  const { basisPoints, maximumFee } = rateInEpoch(mint.data, extension.start, context.slot.epoch);
  return { basisPoints, maximumFeeBase: maximumFee };
}

/** What must be sent so that `amountBase` arrives after the mint's transfer fee. */
export function addTransferFee(context: InvokeContext, mint: InstructionAccount | null, amountBase: bigint): bigint {
  const sent = amountBeforeFee(transferFeeOf(context, mint), amountBase);
  return sent ?? panic(context, 'more tokens than there can be');
}

interface Transfer {
  readonly tokenProgram: NamedAccount;
  readonly mint: InstructionAccount | null;
  readonly from: NamedAccount;
  readonly to: NamedAccount;
  readonly authority: NamedAccount;
  readonly amountBase: bigint;
}

/** `borrowed` are the accounts whose bytes the instruction holds on to: none of them can be handed to another program. */
interface Deposit extends Transfer {
  readonly borrowed: readonly NamedAccount[];
}

/** Into the bank's vault, signed for by the owner of the tokens. */
export function depositTokens(context: InvokeContext, bank: BankState, { borrowed, ...transfer }: Deposit): void {
  if (!areBytesEqual(bank.liquidityVault, transfer.to.account.key)) {
    fail('InvalidTransfer');
  }
  for (const account of borrowed) assertDifferent(transfer.from, account);
  moveTokens(context, transfer);
}

/** Out of one of the bank's vaults, for which its derived authority signs. */
export function withdrawTokens(context: InvokeContext, transfer: Transfer, signer: readonly Uint8Array[]): void {
  moveTokens(context, transfer, [signer]);
}

/** With a mint the token program compares its decimals, too. */
export function moveTokens(
  context: InvokeContext,
  { tokenProgram, mint, from, to, authority, amountBase }: Transfer,
  signers: readonly (readonly Uint8Array[])[] = [],
): void {
  const data = new Uint8Array(mint === null ? 9 : 10);
  data[0] = mint === null ? TRANSFER : TRANSFER_CHECKED;
  writeU64(data, 1, amountBase);
  if (mint !== null) data[9] = mint.data[MINT.decimals] ?? 0;
  const meta = ({ address }: InstructionAccount, isWritable: boolean, isSigner = false) => ({
    address,
    isSigner,
    isWritable,
  });
  const accounts = [
    meta(from.account, true),
    ...(mint === null ? [] : [meta(mint, false)]),
    meta(to.account, true),
    meta(authority.account, false, true),
  ];
  context.invoke({ programId: tokenProgram.account.address, accounts, data }, signers);
}
