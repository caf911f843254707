import { TOKEN_2022_PROGRAM } from '@lending/programs';
import { isU64, readU16, readU64, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { takeAccounts } from '../account-list.ts';
import { tokenError } from '../token/token-error.ts';
import {
  ACCOUNT,
  amountOf,
  assertAuthority,
  assertOwnedBy,
  isFrozen,
  isKeyAt,
  setAmount,
} from '../token/token-state.ts';
import { assertNotBorrowed, assertToken2022, loadBase } from './call.ts';
import { getExtension, isUnpackable } from './extended-state.ts';
import { EXTENSION } from './extension-type.ts';
import { extendMint } from './mint-extensions.ts';
import { nullableKey, setNullableKey } from './optional-field.ts';
import { transfer } from './transfer.ts';
import { announceRate, FEE_CONFIG, MAX_BASIS_POINTS, writeInitialRate } from './transfer-fee.ts';

/** The transfer-fee extension's own instructions, by their second byte. */
export function runFeeInstruction(data: Uint8Array, context: InvokeContext): void {
  const fields = data.subarray(1);
  switch (data[0]) {
    case 0:
      initializeConfig(fields, context);
      return;
    case 1:
      transferCheckedWithFee(fields, context);
      return;
    case 2:
      context.log('TransferFeeInstruction: WithdrawWithheldTokensFromMint');
      withdrawFromMint(context);
      return;
    case 3:
      context.log('TransferFeeInstruction: WithdrawWithheldTokensFromAccounts');
      withdrawFromAccounts(fields, context);
      return;
    case 4:
      context.log('TransferFeeInstruction: HarvestWithheldTokensToMint');
      harvestToMint(context);
      return;
    case 5:
      context.log('TransferFeeInstruction: SetTransferFee');
      setFee(fields, context);
      return;
    default:
      throw tokenError('invalidInstruction');
  }
}

function initializeConfig(data: Uint8Array, context: InvokeContext): void {
  const [configAuthority, afterFirst] = takeOptionalKey(data);
  const [withdrawAuthority, rest] = takeOptionalKey(afterFirst);
  const rate = parseRate(rest);
  const { written, start } = extendMint(context, EXTENSION.transferFeeConfig);
  setNullableKey(written, start + FEE_CONFIG.configAuthority, configAuthority);
  setNullableKey(written, start + FEE_CONFIG.withdrawAuthority, withdrawAuthority);
  if (rate.basisPoints > MAX_BASIS_POINTS) throw tokenError('transferFeeExceedsMaximum');
  writeInitialRate(written, start, { ...rate, epoch: context.slot.epoch });
}

function transferCheckedWithFee(data: Uint8Array, context: InvokeContext): void {
  if (data.length < 17) throw tokenError('invalidInstruction');
  context.log('TransferFeeInstruction: TransferCheckedWithFee');
  transfer(context, { amount: readU64(data, 0), decimals: data[8], fee: readU64(data, 9) });
}

function setFee(data: Uint8Array, context: InvokeContext): void {
  const rate = parseRate(data);
  const [mint, authority] = takeAccounts(context.accounts, 2);
  assertToken2022(mint);
  const { start } = getExtension(loadBase(mint, 'mint'), EXTENSION.transferFeeConfig);
  assertFeeAuthority(mint.data, start + FEE_CONFIG.configAuthority, authority, context.accounts.slice(2));
  if (rate.basisPoints > MAX_BASIS_POINTS) throw tokenError('transferFeeExceedsMaximum');
  announceRate(mint.writableData(), start, rate, context.slot.epoch);
}

function withdrawFromMint({ accounts }: InvokeContext): void {
  const [mint, destination, authority] = takeAccounts(accounts, 3);
  assertToken2022(mint);
  assertToken2022(destination);
  const { start } = getExtension(loadBase(mint, 'mint'), EXTENSION.transferFeeConfig);
  assertFeeAuthority(mint.data, start + FEE_CONFIG.withdrawAuthority, authority, accounts.slice(3));
  assertNotBorrowed(destination, mint);
  assertReceivesFees(destination, mint);
  const written = mint.writableData();
  const withheld = readU64(written, start + FEE_CONFIG.withheld);
  writeU64(written, start + FEE_CONFIG.withheld, 0n);
  addAmount(destination, withheld);
}

function withdrawFromAccounts(data: Uint8Array, context: InvokeContext): void {
  const [count] = data;
  if (count === undefined) throw tokenError('invalidInstruction');
  const [mint, destination, authority] = takeAccounts(context.accounts, 3);
  const rest = context.accounts.slice(3);
  const signerCount = Math.max(0, rest.length - count);
  assertToken2022(mint);
  assertToken2022(destination);
  const { start } = getExtension(loadBase(mint, 'mint'), EXTENSION.transferFeeConfig);
  assertFeeAuthority(mint.data, start + FEE_CONFIG.withdrawAuthority, authority, rest.slice(0, signerCount));
  assertNotBorrowed(destination, mint);
  assertReceivesFees(destination, mint);
  for (const source of rest.slice(signerCount)) {
    if (source.isSameAs(destination)) addAmount(destination, takeWithheld(destination));
    else tryHarvest(context, mint, source, (amount) => addAmount(destination, amount));
  }
}

function harvestToMint(context: InvokeContext): void {
  const [mint] = takeAccounts(context.accounts, 1);
  assertToken2022(mint);
  const { start } = getExtension(loadBase(mint, 'mint'), EXTENSION.transferFeeConfig);
  for (const source of context.accounts.slice(1)) {
    tryHarvest(context, mint, source, (amount) => {
      const written = mint.writableData();
      const withheld = readU64(written, start + FEE_CONFIG.withheld) + amount;
      if (!isU64(withheld)) throw tokenError('overflow');
      writeU64(written, start + FEE_CONFIG.withheld, withheld);
    });
  }
}

/** An account that cannot be harvested is passed over; only a crash or an overflow ends the instruction. */
function tryHarvest(
  context: InvokeContext,
  mint: InstructionAccount,
  source: InstructionAccount,
  receive: (amount: bigint) => void,
): void {
  assertNotBorrowed(source, mint);
  const problem = findHarvestProblem(mint, source);
  if (problem === undefined) receive(takeWithheld(source));
  else context.log(`Error harvesting from ${source.address}: ${problem}`);
}

function findHarvestProblem(mint: InstructionAccount, source: InstructionAccount): string | undefined {
  if (!isUnpackable(source.data, 'account')) return 'State is invalid for requested operation';
  if (!isKeyAt(source.data, ACCOUNT.mint, mint)) return 'Account not associated with this Mint';
  try {
    assertOwnedBy(source, TOKEN_2022_PROGRAM);
    getExtension(source.data, EXTENSION.transferFeeAmount);
    return undefined;
  } catch {
    return 'State is invalid for requested operation';
  }
}

function takeWithheld(account: InstructionAccount): bigint {
  const range = findFeeAmount(account.data);
  const written = account.writableData();
  const withheld = readU64(written, range.start);
  writeU64(written, range.start, 0n);
  return withheld;
}

function findFeeAmount(data: Uint8Array) {
  try {
    return getExtension(data, EXTENSION.transferFeeAmount);
  } catch {
    throw tokenError('invalidState');
  }
}

function addAmount(account: InstructionAccount, amount: bigint): void {
  const written = account.writableData();
  const total = amountOf(written) + amount;
  if (!isU64(total)) throw tokenError('overflow');
  setAmount(written, total);
}

function assertReceivesFees(destination: InstructionAccount, mint: InstructionAccount): void {
  const data = loadBase(destination, 'account');
  if (!isKeyAt(data, ACCOUNT.mint, mint)) throw tokenError('mintMismatch');
  if (isFrozen(data)) throw tokenError('accountFrozen');
}

function assertFeeAuthority(
  mint: Uint8Array,
  offset: number,
  authority: InstructionAccount,
  signers: readonly InstructionAccount[],
): void {
  const expected = nullableKey(mint, offset);
  if (expected === undefined) throw tokenError('noAuthorityExists');
  assertAuthority(expected, authority, signers);
}

function parseRate(data: Uint8Array): { readonly basisPoints: number; readonly maximumFee: bigint } {
  if (data.length < 10) throw tokenError('invalidInstruction');
  return { basisPoints: readU16(data, 0), maximumFee: readU64(data, 2) };
}

function takeOptionalKey(data: Uint8Array): [key: Uint8Array | null, rest: Uint8Array] {
  if (data[0] === 0) return [null, data.subarray(1)];
  if (data[0] !== 1) throw tokenError('invalidInstruction');
  if (data.length < 33) throw tokenError('invalidInstruction');
  return [data.subarray(1, 33), data.subarray(33)];
}
