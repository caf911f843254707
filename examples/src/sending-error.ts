import { isSolanaError, type Signature } from '@solana/kit';

/** Why a transaction did not do what it should. `expired`: it never landed, and never will; building again is all there is to do. */
export class SendingError extends Error {
  readonly kind: 'failed' | 'expired';
  readonly signature: Signature | null;

  constructor(kind: SendingError['kind'], message: string, signature: Signature | null, cause?: unknown) {
    super(message, { cause });
    this.name = 'SendingError';
    this.kind = kind;
    this.signature = signature;
  }
}

export function failed(label: string, signature: Signature | null, reason: unknown): SendingError {
  const place = signature === null ? '' : ` (${signature})`;
  return new SendingError('failed', `"${label}"${place} failed: ${describe(reason)}`, signature, reason);
}

export function expired(label: string, signature: Signature | null, lastValidBlockHeight: bigint): SendingError {
  const message = `"${label}" did not land by block height ${lastValidBlockHeight}: build it again`;
  return new SendingError('expired', message, signature);
}

function describe(reason: unknown): string {
  if (!(reason instanceof Error)) return toText(reason);
  const logs = isSolanaError(reason)
    ? (reason.context as { readonly logs?: readonly string[] | null }).logs
    : undefined;
  const lines = logs?.filter((line) => line.includes('Error') || line.includes('failed')).slice(-3) ?? [];
  const cause = reason.cause === undefined ? '' : ` – ${describe(reason.cause)}`;
  return [`${reason.message}${cause}`, ...lines].join('\n  ');
}

/** Error numbers arrive as bigints, which JSON does not know. */
function toText(reason: unknown): string {
  return (
    JSON.stringify(reason, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)) ??
    'no reason given'
  );
}
