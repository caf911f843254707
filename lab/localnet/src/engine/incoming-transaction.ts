import { createPublicKey, verify } from 'node:crypto';
import { getAddressBytes, readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import { readU32, readU64 } from './bytes.ts';
import { type ComputeBudget, computeMessageFee, readComputeBudget } from './compute-budget.ts';
import type { AccountSource, ExecuteOptions, ExecutionResult, SlotContext } from './engine.ts';
import { TransactionFailure } from './instruction-error.ts';
import { LOOKUP_TABLE_PROGRAM } from './runtime-addresses.ts';
import { decodeWireTransaction, type WireMessage, type WireTransaction } from './wire-transaction.ts';

/** What is known of a transaction before it runs, as far as it could be read: a refusal reports that much. */
export class IncomingTransaction {
  accountKeys: readonly Address[] = [];
  loadedAddresses: ExecutionResult['loadedAddresses'] = { writable: [], readonly: [] };
  fee = 0n;

  /**
   * Reads the wire bytes and makes every check that needs no account but lookup tables.
   * @throws TransactionFailure as a node refuses it: such a transaction leaves no trace.
   */
  read(
    wire: Uint8Array,
    accounts: AccountSource,
    context: SlotContext,
    options: ExecuteOptions,
  ): { readonly message: WireMessage; readonly budget: ComputeBudget } {
    const transaction = decodeOrRefuse(wire);
    const { message } = transaction;
    this.accountKeys = message.staticAccounts;
    if (!isSane(transaction)) throw new TransactionFailure('SanitizeFailure');
    this.loadedAddresses = resolveLookups(message.addressTableLookups, accounts, context);
    this.accountKeys = [...message.staticAccounts, ...this.loadedAddresses.writable, ...this.loadedAddresses.readonly];
    assertAccountLocks(this.accountKeys);
    if (options.verifySignatures) assertSignatures(transaction);
    const budget = readComputeBudget(message);
    this.fee = computeMessageFee(message, context.lamportsPerSignature);
    return { message, budget };
  }
}

function decodeOrRefuse(wire: Uint8Array): WireTransaction {
  try {
    return decodeWireTransaction(wire);
  } catch {
    throw new TransactionFailure('SanitizeFailure');
  }
}

/** Version 1 carries every account inline and has limits of its own. */
const V1_LIMITS = { accounts: 64, instructions: 64, signatures: 12 } as const;

/** Whether counts and indices fit together. */
function isSane({ message, signatures }: WireTransaction): boolean {
  const { header, staticAccounts, addressTableLookups, instructions } = message;
  const looked = addressTableLookups.map(
    ({ writableIndexes, readonlyIndexes }) => writableIndexes.length + readonlyIndexes.length,
  );
  const keyCount = looked.reduce((sum, count) => sum + count, staticAccounts.length);
  return (
    signatures.length === header.numSignerAccounts &&
    header.numReadonlySignerAccounts < header.numSignerAccounts &&
    header.numSignerAccounts + header.numReadonlyNonSignerAccounts <= staticAccounts.length &&
    keyCount <= 256 &&
    !looked.includes(0) &&
    instructions.every(
      ({ programIdIndex, accounts }) =>
        programIdIndex > 0 && programIdIndex < staticAccounts.length && accounts.every((index) => index < keyCount),
    ) &&
    (message.version !== 1 ||
      (staticAccounts.length <= V1_LIMITS.accounts &&
        instructions.length <= V1_LIMITS.instructions &&
        signatures.length <= V1_LIMITS.signatures))
  );
}

/** Accounts one transaction may lock. */
const MAX_ACCOUNT_LOCKS = 128;

/** @throws TransactionFailure when a key stands twice or there are too many. */
function assertAccountLocks(keys: readonly string[]): void {
  if (keys.length > MAX_ACCOUNT_LOCKS) throw new TransactionFailure('TooManyAccountLocks');
  if (new Set(keys).size !== keys.length) throw new TransactionFailure('AccountLoadedTwice');
}

/** DER header of an ed25519 public key; the 32 key bytes follow. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** @throws TransactionFailure `SignatureFailure` unless every required signer signed these very bytes. */
function assertSignatures({ message, messageBytes, signatureBytes }: WireTransaction): void {
  const isSigned = signatureBytes.every((signature, index) => {
    const signer = message.staticAccounts[index];
    if (signature === null || signer === undefined) return false;
    return isSignatureOf(getAddressBytes(signer), messageBytes, signature);
  });
  if (!isSigned) throw new TransactionFailure('SignatureFailure');
}

function isSignatureOf(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, key]), format: 'der', type: 'spki' });
    return verify(null, message, publicKey, signature);
  } catch {
    return false;
  }
}

const TABLE_HEADER_BYTES = 56;
const TABLE_DISCRIMINATOR = 1;
const NEVER_DEACTIVATED = 0xffff_ffff_ffff_ffffn;
/** Slots a table stays usable after it was switched off. */
const DEACTIVATION_SLOTS = 512n;

/** @throws TransactionFailure naming what is wrong with a table or an index. */
function resolveLookups(
  lookups: WireMessage['addressTableLookups'],
  accounts: AccountSource,
  { slot }: SlotContext,
): ExecutionResult['loadedAddresses'] {
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const { lookupTableAddress, writableIndexes, readonlyIndexes } of lookups) {
    const addresses = usableAddresses(lookupTableAddress, accounts, slot);
    writable.push(...writableIndexes.map((index) => addressAt(addresses, index)));
    readonly.push(...readonlyIndexes.map((index) => addressAt(addresses, index)));
  }
  return { writable, readonly };
}

/** The table's addresses that are usable in this slot: those added in this very slot are not yet. */
function usableAddresses(table: Address, accounts: AccountSource, slot: bigint): Uint8Array {
  const account = accounts.get(table);
  if (account === undefined) throw new TransactionFailure('AddressLookupTableNotFound');
  if (account.owner !== LOOKUP_TABLE_PROGRAM) throw new TransactionFailure('InvalidAddressLookupTableOwner');
  const { data } = account;
  const addressBytes = data.length - TABLE_HEADER_BYTES;
  if (addressBytes < 0 || readU32(data, 0) !== TABLE_DISCRIMINATOR || addressBytes % 32 !== 0) {
    throw new TransactionFailure('InvalidAddressLookupTableData');
  }
  const deactivated = readU64(data, 4);
  if (deactivated !== NEVER_DEACTIVATED && slot > deactivated + DEACTIVATION_SLOTS) {
    throw new TransactionFailure('AddressLookupTableNotFound');
  }
  const lastExtended = readU64(data, 12);
  const length = slot > lastExtended ? addressBytes / 32 : (data[20] ?? 0);
  return data.subarray(TABLE_HEADER_BYTES, TABLE_HEADER_BYTES + length * 32);
}

function addressAt(addresses: Uint8Array, index: number): Address {
  if ((index + 1) * 32 > addresses.length) throw new TransactionFailure('InvalidAddressLookupTableIndex');
  return readAddress(addresses, index * 32);
}
