import type { Address } from '@solana/kit';
import * as z from 'zod';
import type { AccountSource, ExecutionResult } from '#engine/engine.ts';
import { errorOf, type Judged, type Outcome, SIGNATURE_FAILURE } from '#ledger/execution.ts';
import { listTokenBalances } from '#ledger/transaction-record.ts';
import { encodeAccount } from '../encode-account.ts';
import { base58, encodeReturnData, encodeTokenBalance } from '../encode-transaction.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import type { NodeLedger } from '../node-ledger.ts';
import { contextSlot, decodeWireText, parameter, simulateConfig } from '../parameters.ts';
import { type RpcMethods, withContext } from '../rpc-method.ts';

/** Running a transaction without landing it. */
export const simulationMethods: RpcMethods = {
  simulateTransaction({ ledger }, params) {
    const text = parameter(params, 0, z.string());
    const config = parameter(params, 1, simulateConfig);
    if (config.sigVerify && config.replaceRecentBlockhash) {
      throw rpcErrors.invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const wire = decodeWireText(text, config.encoding);
    const slot = contextSlot(ledger, config);
    const [outcome] = ledger.simulateBundle([wire], {
      commitment: config.commitment,
      verifySignatures: config.sigVerify,
      replaceBlockhash: config.replaceRecentBlockhash,
    }).outcomes;
    if (outcome === undefined || outcome.kind === 'malformed') throw malformedTransaction();
    assertLookedUp(outcome);
    if (config.sigVerify && isSignatureFailure(outcome)) throw rpcErrors.signatureVerification();
    const before = ledger.accountsAt(config.commitment);
    const value = encodeSimulation(outcome, before, { withInnerInstructions: config.innerInstructions });
    return withContext(slot, {
      ...value,
      accounts: encodeRequested(outcome, before, config.accounts?.addresses),
      replacementBlockhash: config.replaceRecentBlockhash ? ledger.latestBlockhash(config.commitment) : null,
    });
  },
};

export function malformedTransaction() {
  return rpcErrors.invalidParams('failed to deserialize solana_transaction::versioned::VersionedTransaction');
}

/** Agave's words for a lookup that fails. It looks addresses up before it runs anything, and refuses the request where it cannot. */
const LOOKUP_FAILURES: Readonly<Record<string, string>> = {
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableOwner: 'Transaction loads an address table account with an invalid owner',
  InvalidAddressLookupTableData: 'Transaction loads an address table account with invalid data',
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
};

/** @throws for a transaction whose lookups fail, what a node answers. */
export function assertLookedUp(outcome: Judged): void {
  const error = errorOf(outcome);
  const words = typeof error === 'string' ? LOOKUP_FAILURES[error] : undefined;
  if (words !== undefined) throw rpcErrors.invalidParams(`invalid transaction: ${words}`);
}

export function isSignatureFailure(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && outcome.error === SIGNATURE_FAILURE;
}

/** What a simulation tells, in the shape of `simulateTransaction` and of the data of a failed preflight. */
export function encodeSimulation(
  outcome: Judged,
  before: AccountSource,
  { withInnerInstructions }: { readonly withInnerInstructions: boolean },
) {
  const { result } = outcome;
  const after = outcome.kind === 'executed' ? outcome.after : before;
  const keys = result?.accountKeys ?? [];
  return {
    accounts: null as unknown,
    err: errorOf(outcome),
    fee: result?.fee ?? null,
    innerInstructions: withInnerInstructions && result !== undefined ? encodeInnerInstructions(result) : null,
    loadedAccountsDataSize: computeLoadedSize(keys, before, outcome.transaction.message.addressTableLookups.length),
    loadedAddresses: result?.loadedAddresses ?? null,
    logs: result?.logs ?? [],
    postBalances: result?.postBalances ?? null,
    postTokenBalances: result === undefined ? null : listTokenBalances(keys, after).map(encodeTokenBalance),
    preBalances: result?.preBalances ?? null,
    preTokenBalances: result === undefined ? null : listTokenBalances(keys, before).map(encodeTokenBalance),
    replacementBlockhash: null as unknown,
    returnData: result === undefined ? null : encodeReturnData(result),
    unitsConsumed: result?.unitsConsumed ?? 0n,
  };
}

/** Bytes charged per account on top of its data, and per lookup table. @see SIMD-0186 */
const LOADED_ACCOUNT_BASE_BYTES = 64;
const LOOKUP_TABLE_BYTES = 8_248;

function computeLoadedSize(keys: readonly Address[], accounts: AccountSource, lookupTables: number): number {
  return keys.reduce((total, key) => {
    const state = accounts.get(key);
    return state === undefined ? total : total + LOADED_ACCOUNT_BASE_BYTES + state.data.length;
  }, lookupTables * LOOKUP_TABLE_BYTES);
}

/** Simulations name accounts by address and leave the instruction unparsed, as nodes do for programs they cannot parse. */
function encodeInnerInstructions({ accountKeys, innerInstructions }: ExecutionResult): readonly object[] {
  return innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) => ({
      programId: accountKeys[programIdIndex],
      accounts: accounts.map((position) => accountKeys[position]),
      data: base58(data),
      stackHeight,
    })),
  }));
}

function encodeRequested(outcome: Judged, before: AccountSource, addresses: readonly Address[] | undefined): unknown {
  if (addresses === undefined) return null;
  const { staticAccounts, addressTableLookups } = outcome.transaction.message;
  const looked = addressTableLookups.flatMap((lookup) => [...lookup.writableIndexes, ...lookup.readonlyIndexes]);
  const limit = staticAccounts.length + looked.length;
  if (addresses.length > limit) throw rpcErrors.invalidParams(`Too many accounts provided; max ${limit}`);
  if (errorOf(outcome) !== null) return addresses.map(() => null);
  const after = outcome.kind === 'executed' ? outcome.after : before;
  return addresses.map((address) => {
    const state = after.get(address);
    return state === undefined ? null : encodeAccount(state, {});
  });
}

/** Runs a transaction as `sendTransaction`'s preflight does. */
export function simulateForPreflight(
  ledger: NodeLedger,
  wire: Uint8Array,
  commitment: 'processed' | 'confirmed' | 'finalized',
): Outcome {
  const options = { commitment, verifySignatures: true, replaceBlockhash: false };
  const [outcome] = ledger.simulateBundle([wire], options).outcomes;
  if (outcome === undefined) throw rpcErrors.internal();
  return outcome;
}
