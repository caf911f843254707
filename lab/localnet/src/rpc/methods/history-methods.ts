import * as z from 'zod';
import { FINALIZED_DEPTH } from '#ledger/chain-parameters.ts';
import type { TransactionRecord } from '#ledger/transaction-record.ts';
import { encodeStatus, encodeTransaction } from '../encode-transaction.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import type { NodeLedger } from '../node-ledger.ts';
import {
  addressField,
  contextSlot,
  parameter,
  signatureField,
  signaturesConfig,
  transactionConfig,
} from '../parameters.ts';
import { type RpcMethods, withContext } from '../rpc-method.ts';

const MAX_STATUSES = 256;

/** Transactions that landed. */
export const historyMethods: RpcMethods = {
  getTransaction({ ledger }, params) {
    const signature = parameter(params, 0, signatureField);
    const config = parameter(params, 1, transactionConfig);
    const record = ledger.transaction(signature);
    if (record === undefined || record.slot > ledger.slot(config.commitment)) return null;
    return { slot: record.slot, blockTime: record.unixTimestamp, ...encodeTransaction(record, config) };
  },

  getSignatureStatuses({ ledger }, params) {
    const signatures = parameter(params, 0, z.array(signatureField));
    if (signatures.length > MAX_STATUSES)
      throw rpcErrors.invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    const value = signatures.map((signature) => {
      const record = ledger.transaction(signature);
      return record === undefined ? null : encodeSignatureStatus(ledger, record);
    });
    return withContext(ledger.slot('processed'), value);
  },

  getSignaturesForAddress({ ledger }, params) {
    const address = parameter(params, 0, addressField);
    const { before, until, limit, ...config } = parameter(params, 1, signaturesConfig);
    const newest = contextSlot(ledger, config);
    const page: object[] = [];
    let isBelow = before === undefined;
    for (const signature of ledger.signaturesOf(address)) {
      if (signature === until || page.length === limit) break;
      const record = ledger.transaction(signature);
      if (isBelow && record !== undefined && record.slot <= newest) page.push(encodeSignature(ledger, record));
      if (signature === before) isBelow = true;
    }
    return page;
  },
};

function encodeSignature(ledger: NodeLedger, record: TransactionRecord): object {
  const { signature, slot, result, unixTimestamp } = record;
  const confirmationStatus = confirmationOf(ledger, slot);
  return { signature, slot, err: result.error, memo: null, blockTime: unixTimestamp, confirmationStatus };
}

function encodeSignatureStatus(ledger: NodeLedger, { slot, result }: TransactionRecord): object {
  const confirmationStatus = confirmationOf(ledger, slot);
  const onTop = ledger.blocksBetween(slot, ledger.slot('processed')).length;
  const confirmations = confirmationStatus === 'finalized' ? null : Math.min(onTop, FINALIZED_DEPTH);
  return { slot, confirmations, confirmationStatus, err: result.error, status: encodeStatus(result.error) };
}

function confirmationOf(ledger: NodeLedger, slot: bigint): 'processed' | 'confirmed' | 'finalized' {
  if (slot <= ledger.slot('finalized')) return 'finalized';
  return slot <= ledger.slot('confirmed') ? 'confirmed' : 'processed';
}
