import * as z from 'zod';
import { errorOf } from '#ledger/execution.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import { addressField, contextSlot, decodeWireText, parameter, sendConfig } from '../parameters.ts';
import type { RpcMethods } from '../rpc-method.ts';
import {
  assertLookedUp,
  encodeSimulation,
  isSignatureFailure,
  malformedTransaction,
  simulateForPreflight,
} from './simulation-methods.ts';

/** Most lamports one airdrop gives: a million SOL. */
const MAX_AIRDROP = 1_000_000_000_000_000n;

/** Landing transactions. */
export const sendMethods: RpcMethods = {
  /**
   * The transaction runs in the open slot at once. With `skipPreflight` a transaction that cannot be charged (old blockhash,
   * unknown fee payer) is dropped in silence and its signature returned, as on a cluster.
   */
  sendTransaction({ ledger }, params) {
    const text = parameter(params, 0, z.string());
    const config = parameter(params, 1, sendConfig);
    const wire = decodeWireText(text, config.encoding);
    const commitment = config.preflightCommitment;
    contextSlot(ledger, { commitment, minContextSlot: config.minContextSlot });
    if (!config.skipPreflight) {
      const simulated = simulateForPreflight(ledger, wire, commitment);
      if (simulated.kind === 'malformed') throw malformedTransaction();
      assertLookedUp(simulated);
      if (isSignatureFailure(simulated)) throw rpcErrors.signatureVerification();
      const error = errorOf(simulated);
      if (error !== null) {
        const before = ledger.accountsAt(commitment);
        throw rpcErrors.preflightFailure(error, encodeSimulation(simulated, before, { withInnerInstructions: false }));
      }
    }
    const outcome = ledger.submit(wire);
    if (outcome.kind === 'malformed') throw malformedTransaction();
    assertLookedUp(outcome);
    if (isSignatureFailure(outcome)) throw rpcErrors.signatureVerification();
    return outcome.transaction.signatures[0];
  },

  requestAirdrop({ ledger, faucet }, params) {
    const address = parameter(params, 0, addressField);
    const lamports = BigInt(parameter(params, 1, z.int().positive()));
    if (lamports > MAX_AIRDROP)
      throw rpcErrors.invalidParams(`Invalid request; max airdrop is ${MAX_AIRDROP} lamports`);
    return faucet.airdrop(ledger, address, lamports);
  },
};
