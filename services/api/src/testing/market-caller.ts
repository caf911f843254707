import { createHash } from 'node:crypto';
import type { OpenedLocalnet } from '@lending/localnet';
import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/kit';
import { expect, vi } from 'vitest';
import { type Envelope, envelopeSchema } from '#records/envelope-fields.ts';
import { landingReplySchema } from '#records/landing-fields.ts';

/** A wallet of the demo market that calls an api, signs what it answers, and sends it. */
export interface MarketCaller {
  readonly authority: string;
  ask(path: string, body?: object): Promise<Asked>;
  /** What a builder answers; fails the test where it refuses. */
  build(kind: string, body: object): Promise<Envelope>;
  /** Signs and sends what an envelope's only transaction is. */
  send(envelope: Envelope): Promise<string>;
  /** Signs and sends all of an envelope as one bundle, and answers their signatures. */
  sendBundle(envelope: Envelope): Promise<readonly string[]>;
  /** Waits until it landed, and answers what of it. */
  verified(signature: string, envelope: Envelope): Promise<ReturnType<typeof landingReplySchema.parse>>;
  /** Waits until nothing of an envelope can land any more. */
  expired(envelope: Envelope): Promise<void>;
}

interface Asked {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

export function createMarketCaller(api: { readonly url: string }, localnet: OpenedLocalnet): MarketCaller {
  const [wallet] = localnet.wallets;
  if (wallet === undefined) throw new Error('there is nobody to sign');
  const authority = wallet.address;
  const rpc = createSolanaRpc(localnet.rpcUrl);

  const ask: MarketCaller['ask'] = async (path, body) => {
    const init = { ...POST, body: JSON.stringify(body) };
    const response = await fetch(`${api.url}${path}`, body === undefined ? {} : init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  async function sign(transaction: Envelope['transactions'][number] | undefined) {
    if (!transaction?.base64) throw new Error('there is nothing to sign');
    const signer = await createKeyPairSignerFromPrivateKeyBytes(seedOf(wallet?.name ?? ''));
    const unsigned = getTransactionDecoder().decode(new Uint8Array(Buffer.from(transaction.base64, 'base64')));
    return partiallySignTransaction([signer.keyPair], unsigned);
  }

  return {
    authority,
    ask,
    async build(kind, body) {
      const { status, body: reply } = await ask(`/v1/tx/${kind}`, { authority, ...body });
      expect(status, JSON.stringify(reply)).toBe(200);
      return envelopeSchema.parse(reply);
    },
    async send({ transactions: [only] }) {
      const signed = await sign(only);
      await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
      return getSignatureFromTransaction(signed);
    },
    async sendBundle({ transactions }) {
      const signed = await Promise.all(transactions.map(sign));
      const params = [signed.map((each) => getBase64EncodedWireTransaction(each)), { encoding: 'base64' }];
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendBundle', params });
      const reply = (await (await fetch(localnet.rpcUrl, { ...POST, body })).json()) as object;
      expect(reply).toHaveProperty('result');
      return signed.map(getSignatureFromTransaction);
    },
    verified: (signature, { plan_id: planId }) =>
      vi.waitFor(
        async () => {
          const { body } = await ask(`/v1/verify/${signature}?plan_id=${planId}`);
          const reply = landingReplySchema.parse(body);
          expect(reply.landed).toBe(true);
          return reply;
        },
        { timeout: 120_000, interval: 50 },
      ),
    expired: ({ blockhash }) =>
      vi.waitFor(
        async () => {
          const height = await rpc.getBlockHeight({ commitment: 'confirmed' }).send();
          expect(Number(height)).toBeGreaterThan(blockhash.last_valid_block_height);
        },
        { timeout: 120_000, interval: 100 },
      ),
  };
}

/** The demo wallets' keys are published. */
function seedOf(name: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`lending demo wallet: ${name}`).digest());
}
