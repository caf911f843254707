import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import type { Node } from '#node/node.ts';

/** As every builder answers, as far as it is looked at here. */
export interface Envelope {
  readonly account: string | null;
  readonly transactions: readonly { readonly base64: string; readonly type: string }[];
  readonly action_tx_index: number;
  readonly submit: string;
  readonly blockhash: { readonly value: string; readonly last_valid_block_height: number };
  readonly simulation: { readonly success: boolean };
  readonly plan_id: string;
  readonly swap?: { readonly aggregator: string; readonly oracle_deviation_pct: number | null } | null;
}

/** What is wrong with an envelope: by its own bytes, and by the node's simulation of them. */
export async function envelopeFaults(envelope: Envelope, authority: string, node: Node): Promise<readonly string[]> {
  const { transactions, blockhash, simulation } = envelope;
  const faults: string[] = [];
  if (!simulation.success) faults.push('it says of itself that it would fail');
  if (transactions.length === 0) faults.push('it has no transaction');
  if (transactions[envelope.action_tx_index] === undefined) faults.push('it does not say which transaction acts');
  for (const { base64 } of transactions) faults.push(...byteFaults(base64, authority, blockhash.value));
  const height = await node.ask<number>('getBlockHeight', [{ commitment: 'confirmed' }]);
  if (height > blockhash.last_valid_block_height) faults.push('its blockhash is over');
  const [only, ...more] = transactions;
  // The second one needs what the first one does, which a node that simulates one at a time does not know.
  if (only === undefined || more.length > 0) return faults;
  const options = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: false, commitment: 'confirmed' };
  const { value } = await node.ask<{ readonly value: { readonly err: unknown } }>('simulateTransaction', [
    only.base64,
    options,
  ]);
  if (value.err !== null) faults.push(`the node says that it would fail: ${JSON.stringify(value.err)}`);
  return faults;
}

/** Who signs and pays, that nobody did, and which blockhash it dies with. */
function byteFaults(base64: string, authority: string, blockhash: string): readonly string[] {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(base64));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const faults: string[] = [];
  const signers = Object.entries(signatures);
  if (signers.length !== 1 || signers[0]?.[0] !== authority)
    faults.push('somebody else than the authority has to sign');
  if (signers.some(([, signature]) => signature !== null)) faults.push('it is signed');
  if (message.staticAccounts[0] !== authority) faults.push('somebody else than the authority pays');
  if (message.lifetimeToken !== blockhash) faults.push('its blockhash is another than the envelope says');
  return faults;
}
