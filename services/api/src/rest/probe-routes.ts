import { LendingError, toWireError, wireStatus } from '@lending/errors';
import type { Metrics } from '@lending/runtime';
import type { FastifyInstance } from 'fastify';
import type { ReadDeps } from '#reads/read-deps.ts';
import { readServiceStatus } from '#reads/service-status.ts';

/**
 * What operators' machines ask: is the process alive, may it get traffic, what does it count. `/readyz` answers
 * `{ready, components}`, as the other services do; when not ready, inside the details of the wire error every 503 is.
 */
export async function probeRoutes(
  scope: FastifyInstance,
  { deps, metrics }: { readonly deps: ReadDeps; readonly metrics: Metrics },
): Promise<void> {
  const hidden = { schema: { hide: true } };

  scope.get('/healthz', hidden, async (_request, reply) => reply.send({ status: 'alive' }));

  scope.get('/readyz', hidden, async (_request, reply) => {
    const { ready, components, isDatabaseReachable } = await readServiceStatus(deps);
    if (ready) return reply.send({ ready, components });
    const reasons = components
      .filter((component) => !component.ready)
      .map(({ name, reason, since }) => ({ component: name, reason, since }));
    const body = toWireError(
      new LendingError(isDatabaseReachable ? 'DATA__NOT_READY' : 'DATA__UNAVAILABLE', {
        message: `Not ready: ${reasons.map(({ component, reason }) => `${component}: ${reason}`).join('; ')} — allowed: traffic once this answers 200 — call GET /readyz again in a few seconds`,
        context: { ready, components, reasons },
      }),
    );
    if (body.retry_after_s !== undefined) reply.header('retry-after', body.retry_after_s);
    return reply.code(wireStatus(body.code)).send(body);
  });

  scope.get('/metrics', hidden, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render()),
  );
}
