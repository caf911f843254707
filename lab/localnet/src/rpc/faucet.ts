import { createHash } from 'node:crypto';
import { SYSTEM_PROGRAM } from '@lending/programs';
import {
  type Address,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { errorOf } from '#ledger/execution.ts';
import { JsonRpcError } from './json-rpc-error.ts';
import type { NodeLedger } from './node-ledger.ts';

/** Gives lamports away with real, signed transfers from an account of its own. */
export interface Faucet {
  airdrop(ledger: NodeLedger, to: Address, lamports: bigint): Promise<Signature>;
}

/** Ten million SOL, refilled when half is gone. */
const FULL = 10_000_000_000_000_000n;

/** Its key is derived from a public text: everyone could sign for it, on this chain alone. */
export function createFaucet(): Faucet {
  let signer: Promise<KeyPairSigner> | undefined;
  let count = 0n;
  return {
    async airdrop(ledger, to, lamports) {
      signer ??= createKeyPairSignerFromPrivateKeyBytes(createHash('sha256').update('localnet faucet').digest());
      const faucet = await signer;
      refill(ledger, faucet.address, lamports);
      // Two equal airdrops on one blockhash would be one transaction; the spent fee of a second transfer tells them apart.
      count += 1n;
      const transfer = (destination: Address, amount: bigint) =>
        getTransferSolInstruction({ source: faucet, destination, amount });
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (m) => setTransactionMessageFeePayerSigner(faucet, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(ledger.latestBlockhash('processed'), m),
        (m) => appendTransactionMessageInstruction(transfer(to, lamports), m),
        (m) => appendTransactionMessageInstruction(transfer(faucet.address, count), m),
      );
      const signed = await signTransactionMessageWithSigners(message);
      const outcome = ledger.submit(new Uint8Array(getTransactionEncoder().encode(signed)));
      if (outcome.kind === 'executed' && outcome.result.error === null) return outcome.landing.facts.signature;
      const reason = outcome.kind === 'malformed' ? outcome.reason : JSON.stringify(errorOf(outcome));
      throw new JsonRpcError(-32603, `Internal error: the airdrop did not land: ${reason}`);
    },
  };
}

function refill(ledger: NodeLedger, address: Address, lamports: bigint): void {
  const state = ledger.account(address);
  if (state !== undefined && state.lamports > FULL / 2n + lamports) return;
  ledger.writeAccount(address, { lamports: FULL, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false });
}
