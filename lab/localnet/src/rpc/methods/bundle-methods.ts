import { JITO_TIP_ACCOUNTS } from '@lending/programs';
import type { Address } from '@solana/kit';
import * as z from 'zod';
import type { AccountSource } from '#engine/engine.ts';
import { decodeWireTransaction, writableStaticAccounts } from '#engine/wire-transaction.ts';
import type { BundleRecord } from '#ledger/bundle-log.ts';
import { errorOf } from '#ledger/execution.ts';
import { encodeAccount } from '../encode-account.ts';
import { describeTransactionError, rpcErrors } from '../json-rpc-error.ts';
import type { NodeLedger } from '../node-ledger.ts';
import { addressField, decodeWireText, parameter, wireConfig } from '../parameters.ts';
import { type RpcMethods, withContext } from '../rpc-method.ts';
import { encodeSimulation, malformedTransaction } from './simulation-methods.ts';

const MAX_BUNDLE = 5;
const bundleField = z
  .array(z.string())
  .min(1, 'a bundle has 1 to 5 transactions')
  .max(MAX_BUNDLE, 'a bundle has 1 to 5 transactions');
const idsField = z.array(z.string()).max(5, 'at most 5 bundle ids');
const accountsField = z.array(z.object({ addresses: z.array(addressField) }).nullable()).nullish();
const simulateOptions = z
  .object({
    preExecutionAccountsConfigs: accountsField,
    postExecutionAccountsConfigs: accountsField,
    simulationBank: z.unknown().optional(),
    skipSigVerify: z.boolean().default(false),
    replaceRecentBlockhash: z.boolean().default(false),
  })
  .prefault({});

/** The bundle methods of a Jito-Solana node and block engine on one endpoint. */
export const bundleMethods: RpcMethods = {
  sendBundle({ ledger, bundles }, params) {
    const texts = parameter(params, 0, bundleField);
    const { encoding } = parameter(params, 1, wireConfig);
    const wires = texts.map((text) => decodeWireText(text, encoding));
    const transactions = wires.map(decodeOrRefuse);
    const written = transactions.flatMap(({ message }) => writableStaticAccounts(message));
    if (!JITO_TIP_ACCOUNTS.some((tip) => written.includes(tip))) {
      throw rpcErrors.invalidParams('Bundles must write lock at least one tip account to be eligible for the auction.');
    }
    const signatures = transactions.flatMap((transaction) => transaction.signatures[0] ?? []);
    return bundles.send(ledger, wires, signatures).id;
  },

  getInflightBundleStatuses({ ledger, bundles }, params) {
    const value = parameter(params, 0, idsField).map((id) => {
      const record = bundles.get(id);
      const slot = record === undefined ? null : landedSlotOf(ledger, record);
      const status = record === undefined ? 'Invalid' : slot === null ? 'Failed' : 'Landed';
      return { bundle_id: id, status, landed_slot: slot };
    });
    return withContext(ledger.slot('processed'), value);
  },

  simulateBundle({ ledger }, params) {
    const { encodedTransactions } = parameter(params, 0, z.object({ encodedTransactions: bundleField }));
    const config = parameter(params, 1, simulateOptions);
    if (config.replaceRecentBlockhash && !config.skipSigVerify) {
      throw rpcErrors.invalidParams('replaceRecentBlockhash may not be used with sigVerify');
    }
    for (const name of ['preExecutionAccountsConfigs', 'postExecutionAccountsConfigs'] as const) {
      const length = config[name]?.length ?? encodedTransactions.length;
      if (length !== encodedTransactions.length) {
        throw rpcErrors.invalidParams(
          'pre/post_execution_accounts_configs must be equal in length to the number of transactions',
        );
      }
    }
    const wires = encodedTransactions.map((text) => decodeWireText(text, 'base64'));
    wires.map(decodeOrRefuse);
    const commitment = commitmentOf(config.simulationBank);
    const { outcomes, failedAt } = ledger.simulateBundle(wires, {
      commitment,
      verifySignatures: !config.skipSigVerify,
      replaceBlockhash: config.replaceRecentBlockhash,
    });
    let before = ledger.accountsAt(commitment);
    const transactionResults = outcomes.flatMap((outcome, index) => {
      if (outcome.kind === 'malformed') return [];
      const after = outcome.kind === 'executed' ? outcome.after : before;
      const { accounts: _accounts, ...simulated } = encodeSimulation(outcome, before, { withInnerInstructions: false });
      const result = {
        ...simulated,
        preExecutionAccounts: encodeAccounts(config.preExecutionAccountsConfigs?.[index], before),
        postExecutionAccounts: encodeAccounts(config.postExecutionAccountsConfigs?.[index], after),
        replacementBlockhash: config.replaceRecentBlockhash ? ledger.latestBlockhash(commitment) : null,
      };
      before = after;
      return [result];
    });
    return withContext(ledger.slot(commitment), { summary: summarise(outcomes, failedAt), transactionResults });
  },
};

/** Where a bundle landed; null when it did not, or its slot was dropped with a fork. */
function landedSlotOf(ledger: NodeLedger, { landedSlot }: BundleRecord): bigint | null {
  if (landedSlot === null || landedSlot >= ledger.slot('processed')) return landedSlot;
  const isForgotten = landedSlot < (ledger.blocks[0]?.slot ?? 0n);
  return isForgotten || ledger.blockAt(landedSlot) !== undefined ? landedSlot : null;
}

function decodeOrRefuse(wire: Uint8Array) {
  try {
    return decodeWireTransaction(wire);
  } catch {
    throw malformedTransaction();
  }
}

/** `"tip"` is the open slot; one fork is kept at a time, so a slot number means the newest. */
function commitmentOf(bank: unknown): 'processed' | 'confirmed' | 'finalized' {
  if (bank === undefined || bank === null) return 'confirmed';
  const nested = z.object({ commitment: z.object({ commitment: z.enum(['processed', 'confirmed', 'finalized']) }) });
  const parsed = nested.safeParse(bank);
  return parsed.success ? parsed.data.commitment.commitment : 'processed';
}

function encodeAccounts(
  config: { readonly addresses: readonly Address[] } | null | undefined,
  accounts: AccountSource,
) {
  if (config === null || config === undefined) return null;
  return config.addresses.map((address) => {
    const state = accounts.get(address);
    return state === undefined ? null : encodeAccount(state, {});
  });
}

type Outcomes = ReturnType<Parameters<RpcMethods[string]>[0]['ledger']['simulateBundle']>['outcomes'];

function summarise(outcomes: Outcomes, failedAt: number | null): unknown {
  const failed = failedAt === null ? undefined : outcomes[failedAt];
  if (failed === undefined || failed.kind === 'malformed') return 'succeeded';
  const error = errorOf(failed);
  const signature = failed.transaction.signatures[0] ?? null;
  const text = error === null ? '' : describeTransactionError(error);
  return { failed: { error: { TransactionFailure: [signature, text] }, txSignature: signature } };
}
