import type { NewSpan } from '@lending/tracing';
import { SpanKind } from '@opentelemetry/api';

/** A request of somebody else's service, by its host: the rest of a URL has amounts, wallets and, with some, a key in it. */
export function requestSpan(method: 'GET' | 'POST', url: string): NewSpan {
  const { host } = new URL(url);
  return {
    name: `${method} ${host}`,
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': method, 'server.address': host },
  };
}
