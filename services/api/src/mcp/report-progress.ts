import type { ServerContext } from '@modelcontextprotocol/server';
import type { Report } from '#builds/build-steps.ts';
import { REPORT_NOTHING } from '#tools/tool.ts';

/** Tells a client that asked for it, by a progress token, how far its call has come. */
export function reportProgress({ _meta: meta, notify }: ServerContext['mcpReq']): Report {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return REPORT_NOTHING;
  let told = Number.NEGATIVE_INFINITY;
  return (progress, total, message) => {
    // The protocol wants it to grow with every notification.
    if (progress <= told) return;
    told = progress;
    const params = { progressToken, progress, total, message };
    // Nobody waits for progress: where the client is gone, the call ends by its signal.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
