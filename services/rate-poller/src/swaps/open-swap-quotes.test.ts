import { anyAddress, createLineLogger } from '@lending/fakes';
import { createMetrics } from '@lending/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeVenueService, startFakeVenueService } from '#testing/fake-venue-service.ts';
import { openSwapQuoter, readSwapQuoting } from './open-swap-quotes.ts';

const recall = async () => new Map();
const services: FakeVenueService[] = [];

afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

describe('readSwapQuoting', () => {
  it('asks where aggregators serve mainnet, every five seconds, with keys where there are some', () => {
    expect(readSwapQuoting({ DFLOW_API_KEY: 'key' }, 'chain', recall)).toEqual({
      urls: { jupiter: 'https://api.jup.ag', dflow: 'https://quote-api.dflow.net' },
      keys: { jupiter: null, dflow: 'key' },
      everyMs: 5_000,
      recall,
    });
  });

  it('asks nobody of mainnet what the tokens of a local chain give', () => {
    expect(readSwapQuoting({}, 'localnet', recall)).toBeNull();
    const named = readSwapQuoting({ JUPITER_URL: 'http://127.0.0.1:1' }, 'localnet', recall);
    expect(named).toMatchObject({ urls: { jupiter: 'http://127.0.0.1:1', dflow: null }, everyMs: 100, renewMs: 3_000 });
  });

  it('goes at the pace that was named, also with pairs that were quoted before', () => {
    const named = { JUPITER_URL: 'http://127.0.0.1:1', SWAP_QUOTE_EVERY_MS: 50 };
    const quoting = readSwapQuoting(named, 'localnet', recall);
    expect([quoting?.everyMs, quoting?.renewMs]).toEqual([50, undefined]);
  });

  it('asks nobody where it is switched off', () => {
    expect(readSwapQuoting({ SWAP_QUOTE_EVERY_MS: 0 }, 'chain', recall)).toBeNull();
  });
});

describe('openSwapQuoter', () => {
  it('counts how requests end, says once that an aggregator is down and once that it is not, and writes no key', async () => {
    const answer = { status: 500, body: { error: 'No routes found', errorCode: 'echo secret-key' } };
    const service = await startFakeVenueService(() => answer);
    services.push(service);
    const { logger, lines } = createLineLogger();
    const metrics = createMetrics();
    let nowMs = 1_000_000;
    const quoting = { urls: { jupiter: service.url, dflow: null }, keys: { jupiter: 'secret-key', dflow: null } };
    const quoter = openSwapQuoter({ ...quoting, everyMs: 1 }, { logger, metrics, now: () => nowMs });
    const ask = async () => {
      nowMs += 60_000;
      const size = { inMint: anyAddress(1), outMint: anyAddress(2), inBase: 1n, mostOutBase: 1n };
      return quoter.ask(size, AbortSignal.timeout(5_000));
    };
    for (let nth = 0; nth < 5; nth += 1) await ask();
    answer.status = 400;
    await ask();
    const rendered = await metrics.render();
    expect(rendered).toContain('swap_quote_ask_total{aggregator="jupiter",outcome="server_error"} 5');
    expect(rendered).toContain('swap_quote_ask_total{aggregator="jupiter",outcome="no_route"} 1');
    expect(lines.map(({ event }) => event)).toEqual(['swap.quote.fail', 'swap.quote.resume']);
    expect(lines[0]?.fields.error).toMatchObject({ message: expect.stringContaining('echo (hidden)') });
    expect(JSON.stringify(lines)).not.toContain('secret-key');
  });
});
