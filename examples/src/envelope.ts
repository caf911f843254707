/** What a builder of the service answers, as far as whoever signs and sends it needs to know. */
export interface Envelope {
  /** The lending account, even before it exists. */
  readonly account: string;
  /** In the order they are sent; unsigned. */
  readonly transactions: readonly EnvelopeTransaction[];
  /** Which of them does what was asked. */
  readonly action_tx_index: number;
  /** One after the other, or all in one atomic bundle. */
  readonly submit: 'sequential' | 'bundle';
  readonly blockhash: { readonly value: string; readonly last_valid_block_height: number };
  /** One sentence to show before signing. */
  readonly summary: string;
  readonly plan_id: string;
}

export interface EnvelopeTransaction {
  /** Null in a preview, which nobody can sign. */
  readonly base64: string | null;
  readonly type: string;
  readonly label: string;
}

const TEXTS = ['account', 'summary', 'plan_id'] as const;

/**
 * Reads an envelope from a file or a pipe, where anything may stand.
 * @throws Error naming the field that is missing or of another kind.
 */
export function parseEnvelope(value: unknown): Envelope {
  const envelope = recordOf(value, 'envelope');
  for (const name of TEXTS) expectKind(typeof envelope[name] === 'string', name, 'a text');
  expectKind(envelope.submit === 'sequential' || envelope.submit === 'bundle', 'submit', '"sequential" or "bundle"');
  const blockhash = recordOf(envelope.blockhash, 'blockhash');
  expectKind(typeof blockhash.value === 'string', 'blockhash.value', 'a text');
  expectKind(Number.isSafeInteger(blockhash.last_valid_block_height), 'blockhash.last_valid_block_height', 'a height');
  const { transactions } = envelope;
  if (!Array.isArray(transactions) || transactions.length === 0)
    throw new Error('envelope: transactions is no list, or an empty one');
  for (const [index, entry] of transactions.entries()) {
    const transaction = recordOf(entry, `transactions[${index}]`);
    const { base64 } = transaction;
    expectKind(base64 === null || typeof base64 === 'string', `transactions[${index}].base64`, 'a text or null');
    expectKind(typeof transaction.label === 'string', `transactions[${index}].label`, 'a text');
    expectKind(typeof transaction.type === 'string', `transactions[${index}].type`, 'a text');
  }
  const isIndex = Number.isSafeInteger(envelope.action_tx_index);
  expectKind(isIndex && transactions[envelope.action_tx_index as number] !== undefined, 'action_tx_index', 'an index');
  return envelope as unknown as Envelope;
}

function recordOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} is no object`);
  return value as Readonly<Record<string, unknown>>;
}

function expectKind(isSo: boolean, name: string, kind: string): void {
  if (!isSo) throw new Error(`envelope: ${name} is not ${kind}`);
}
