import { type Base64EncodedWireTransaction, createSolanaRpc, type Signature } from '@solana/kit';

/** How a transaction fares. */
export interface SignatureStatus {
  /** Null: it succeeded. */
  readonly err: unknown;
  readonly isConfirmed: boolean;
}

/** The few questions to a node that sending takes. */
export interface NodePort {
  /** @throws Error with the node's own words when it refuses the transaction. */
  send(base64: string, options: { readonly skipPreflight: boolean }): Promise<void>;
  /** Null where the node has not seen the signature. */
  statusesOf(signatures: readonly Signature[]): Promise<readonly (SignatureStatus | null)[]>;
  /** Of the confirmed chain. */
  blockHeight(): Promise<bigint>;
}

/** A node over JSON-RPC. */
export function connectNode(url: string): NodePort {
  const rpc = createSolanaRpc(url);
  return {
    async send(base64, { skipPreflight }) {
      const options = { encoding: 'base64', skipPreflight, preflightCommitment: 'confirmed', maxRetries: 0n } as const;
      await rpc.sendTransaction(base64 as Base64EncodedWireTransaction, options).send();
    },
    async statusesOf(signatures) {
      const { value } = await rpc.getSignatureStatuses(signatures).send();
      return value.map((status) =>
        status === null
          ? null
          : {
              err: status.err,
              isConfirmed: status.confirmationStatus === 'confirmed' || status.confirmationStatus === 'finalized',
            },
      );
    },
    blockHeight: () => rpc.getBlockHeight({ commitment: 'confirmed' }).send(),
  };
}
