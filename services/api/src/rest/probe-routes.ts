import { LendingError, toWireError, wireStatus } from '@lending/errors';
import type { Metrics } from '@lending/runtime';
import type { FastifyInstance } from 'fastify';
import type { ReadDeps } from '#reads/read-deps.ts';
import { readServiceStatus, type ServiceStatus } from '#reads/service-status.ts';
import { docsBaseOf } from './docs-base.ts';

export interface ProbeRoutesOptions {
  readonly deps: ReadDeps;
  readonly metrics: Metrics;
  /** Aborts when the service is about to stop: from then on it gets no more traffic, however well it is. */
  readonly stopping: AbortSignal | undefined;
}

/**
 * What operators' machines ask: is the process alive, may it get traffic, what does it count. `/readyz` answers
 * `{ready, components, program}`, as the other services do but for the program, which makes nothing unready; when not ready, inside the details of the wire error every 503 is.
 */
export async function probeRoutes(
  scope: FastifyInstance,
  { deps, metrics, stopping }: ProbeRoutesOptions,
): Promise<void> {
  const hidden = { schema: { hide: true } };
  let stopped: ReturnType<typeof statusOfStop> | null = null;
  stopping?.addEventListener('abort', () => (stopped = statusOfStop(new Date())), { once: true });

  scope.get('/healthz', hidden, async (_request, reply) => reply.send({ status: 'alive' }));

  scope.get('/readyz', hidden, async (request, reply) => {
    const { ready, components, isDatabaseReachable } = stopped ?? (await readServiceStatus(deps));
    const program = deps.runningProgram();
    if (ready) return reply.send({ ready, components, program });
    const reasons = components
      .filter((component) => !component.ready)
      .map(({ name, reason, since }) => ({ component: name, reason, since }));
    const body = toWireError(
      new LendingError(isDatabaseReachable ? 'DATA__NOT_READY' : 'DATA__UNAVAILABLE', {
        message: `Not ready: ${reasons.map(({ component, reason }) => `${component}: ${reason}`).join('; ')} — allowed: traffic once this answers 200 — call GET /readyz again in a few seconds`,
        context: { ready, components, reasons, program },
      }),
      docsBaseOf(request),
    );
    if (body.retry_after_s !== undefined) reply.header('retry-after', body.retry_after_s);
    return reply.code(wireStatus(body.code)).send(body);
  });

  scope.get('/metrics', hidden, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render()),
  );
}

/** Said at once: whoever asks decides where to send the next request. */
function statusOfStop(since: Date): Pick<ServiceStatus, 'ready' | 'components' | 'isDatabaseReachable'> {
  const components = [{ name: 'process', ready: false, reason: 'stopping', since }];
  return { ready: false, isDatabaseReachable: true, components };
}
