import {
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit';

/** What the node said would land. */
export interface Simulated {
  /** Notes the transactions of a request that the node answered without an error of theirs. */
  note(request: string, answer: string): void;
  /** Whether the node simulated this transaction, whatever its blockhash, and found that it lands. */
  has(transaction: string): boolean;
}

const NO_BLOCKHASH = '11111111111111111111111111111111';

export function createSimulated(): Simulated {
  const landing = new Set<string>();
  return {
    note(request, answer) {
      if (!request.includes('"simulate')) return;
      const { method, params } = JSON.parse(request) as { method: string; params: readonly unknown[] };
      const { result } = JSON.parse(answer) as { result?: { value?: { err?: unknown; summary?: unknown } } };
      if (method === 'simulateTransaction' && result?.value?.err === null) landing.add(withoutBlockhash(params[0]));
      if (method !== 'simulateBundle' || result?.value?.summary !== 'succeeded') return;
      const { encodedTransactions } = params[0] as { encodedTransactions: readonly string[] };
      for (const transaction of encodedTransactions) landing.add(withoutBlockhash(transaction));
    },
    has: (transaction) => landing.has(withoutBlockhash(transaction)),
  };
}

function withoutBlockhash(transaction: unknown): string {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(String(transaction)));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const bytes = getCompiledTransactionMessageEncoder().encode({ ...message, lifetimeToken: NO_BLOCKHASH });
  return Buffer.from(bytes).toString('base64');
}
