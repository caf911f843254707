/** What a user got for one question. `status` 0: no answer came. */
export interface Answer {
  readonly kind: Question;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly status: number;
  readonly body: AnswerBody;
  /** The conversation in which the call was written as an entry; null where it was not, or where no answer came. */
  readonly conversationId: string | null;
}

export type Question = 'banks' | 'account' | 'deposit' | 'loop' | 'readyz';

/** The fields of answers that are judged. */
export interface AnswerBody {
  readonly code?: string;
  readonly error?: string;
  readonly as_of?: AsOf;
  readonly ready?: boolean;
  readonly components?: readonly Component[];
  readonly details?: { readonly components?: readonly Component[]; readonly cause?: unknown };
  readonly plan_id?: string;
  readonly transactions?: readonly { readonly base64?: string | null }[];
  readonly coverage?: { readonly complete: boolean };
}
export interface AsOf {
  readonly slot: number | null;
  readonly age_seconds: number;
  readonly stale: boolean;
}
export interface Component {
  readonly name: string;
  readonly ready: boolean;
  readonly reason: string | null;
}

/** Longer than the service may think about anything. */
const PATIENCE_MS = 180_000;

export async function askAsUser(
  kind: Question,
  url: string,
  {
    headers = {},
    body: question,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Promise<Answer> {
  const askedMs = Date.now();
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { ...headers, ...(question !== undefined && { 'content-type': 'application/json' }) },
      ...(question !== undefined && { method: 'POST', body: JSON.stringify(question) }),
    });
    const answer = (await response.json()) as AnswerBody;
    const conversationId = response.headers.get('x-conversation-id');
    return { kind, askedMs, answeredMs: Date.now(), status: response.status, body: answer, conversationId };
  } catch (error) {
    const body = { error: String(error) };
    return { kind, askedMs, answeredMs: Date.now(), status: 0, body, conversationId: null };
  }
}

/** The parts that are not ready, as text: `rate-poller log: BUS__UNAVAILABLE …`. */
export function notReadyParts({ components, details }: AnswerBody): readonly string[] {
  return (components ?? details?.components ?? [])
    .filter(({ ready }) => !ready)
    .map(({ name, reason }) => `${name}: ${reason}`);
}
