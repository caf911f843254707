import { describe, expect, it } from 'vitest';
import { loadDashboard } from './load-dashboard.ts';

/** What a first visit may weigh, gzip, all files together. */
const MOST_BYTES = 150_000;

describe('loadDashboard', () => {
  it('serves all that a first visit loads in 150 kB of gzip', async () => {
    const dashboard = await loadDashboard();
    const gzip = { acceptEncoding: 'gzip', ifNoneMatch: undefined };
    const replies = [dashboard.answerPage(gzip), ...dashboard.assetUrls.map((url) => dashboard.answerAsset(url, gzip))];
    const bytes = replies.map((reply) => reply?.body?.length ?? Number.NaN);
    const sum = bytes.reduce((all, size) => all + size, 0);
    console.info(`a first visit: ${(sum / 1000).toFixed(1)} kB gzip in ${replies.length} files`);
    expect(sum).toBeGreaterThan(10_000);
    expect(sum).toBeLessThanOrEqual(MOST_BYTES);
  });
});
