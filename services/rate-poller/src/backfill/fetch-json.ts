import { LendingError } from '@lending/errors';
import ky, { HTTPError } from 'ky';
import type { z } from 'zod';

/** An answer of a year of hours takes a venue's service a while; a dead one should not hold up the next reserve for ever. */
const TIMEOUT_MS = 60_000;
const RETRIES = 4;

/**
 * Asks a venue's service for JSON of a known shape. Waits as long as it asks to (`Retry-After`) and tries again a few times.
 * @throws VENUE__HISTORY_UNAVAILABLE when it does not answer or refuses, VENUE__HISTORY_MALFORMED when the shape is another.
 */
export async function fetchJson<T>(url: URL, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const answer = await ask(url, signal);
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new LendingError('VENUE__HISTORY_MALFORMED', {
    message: `${url.host}${url.pathname}: ${issue?.path.join('.') || 'the answer'}: ${issue?.message ?? 'of another shape'}`,
    context: { host: url.host },
    cause: parsed.error,
  });
}

async function ask(url: URL, signal: AbortSignal): Promise<unknown> {
  try {
    const retry = { limit: RETRIES, maxRetryAfter: 60_000 };
    // Elsewhere than the settings say nobody is asked.
    return await ky.get(url, { signal, timeout: TIMEOUT_MS, retry, redirect: 'error' }).json();
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof HTTPError ? `answers ${cause.response.status}` : 'does not answer';
    throw new LendingError('VENUE__HISTORY_UNAVAILABLE', {
      message: `${url.host}${url.pathname} ${reason}`,
      context: { host: url.host },
      cause,
    });
  }
}
