import type { RunningProcess } from '@lending/testing';

/** Where the local chain of a running demo listens, as its banner says. */
export async function chainUrlOf(app: RunningProcess): Promise<string> {
  const [, url = ''] = await app.waitForLine(/chain\s+local chain .* at (http:\/\/\S+),/);
  return url;
}
