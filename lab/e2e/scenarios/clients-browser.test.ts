import { expect, it } from 'vitest';
import { describeInBrowser } from '../src/browser/use-browser.ts';
import { issueToken } from '../src/clients/issue-token.ts';
import { startPageServer } from '../src/clients/page-server.ts';
import { useDemo } from '../src/cluster/demo.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply } from '../src/replies.ts';

/** What the page does, in the page: the client is what it finds there. */
const SCRIPT = `async ({ baseUrl, token }) => {
  const { LendingClient, ServiceError } = window.lending;
  const mine = new LendingClient({ baseUrl, token, aggregator1ApiKey: 'key-1', maxWaitMs: 0 });
  const walked = [];
  for await (const { address } of mine.eachBank({ limit: 9, sort: 'symbol', fields: ['symbol'] })) walked.push(address);
  const made = await mine.conversations.create({ title: 'From a page' });
  await mine.inConversation(made.id).status();
  const entries = (await mine.conversations.entries(made.id)).data.map(({ tool }) => tool);
  const renamed = (await mine.conversations.rename(made.id, 'Renamed')).title;
  await mine.conversations.delete(made.id);
  const refused = await mine.loop({ authority: 'nobody' }).catch((error) => error);
  let limited = refused;
  for (let asked = 0; asked < 4; asked += 1) limited = await mine.loop({ authority: 'nobody' }).catch((error) => error);
  const { code, requestId } = refused;
  const { retryAfter } = limited;
  return { walked, entries, renamed, refused: { code, requestId, isOurs: refused instanceof ServiceError }, limited: { code: limited.code, retryAfter } };
}`;

interface Told {
  readonly walked: readonly string[];
  readonly entries: readonly string[];
  readonly renamed: string;
  readonly refused: { readonly code: string; readonly requestId: string | null; readonly isOurs: boolean };
  readonly limited: { readonly code: string; readonly retryAfter: number };
}

describeInBrowser('the JavaScript client in a browser', (browser) => {
  const demo = useDemo('clients-browser', { RATE_LIMIT_LEVERAGE: '4' });

  it('[clients-browser] reads, keeps conversations, and is told what it did wrong and how long to wait', async () => {
    const listBanks = async (): Promise<readonly string[]> => {
      const found = await getJson<BanksReply>(`${demo.url}/v1/banks`);
      return found.banks.map(({ address }) => address);
    };
    const before = await eventually(async () => {
      const banks = await listBanks();
      expect(banks.length).toBeGreaterThan(12);
      return banks;
    });
    const token = await issueToken(demo.dataDir, 'page');
    await using page = await startPageServer();
    // That it asks another origin is what it is here for, and it asks what is refused.
    const expected = [/request to another host: \w+ http:\/\/127\.0\.0\.1/, /answered 4(00|29)/, /status of 4(00|29)/];
    const told = await browser.visit(
      page.url,
      async (found) => {
        await found.waitForFunction('window.lending !== undefined');
        return (await found.evaluate(`(${SCRIPT})(${JSON.stringify({ baseUrl: demo.url, token })})`)) as Told;
      },
      { expected },
    );
    // More may be listed meanwhile: the service has just begun.
    const after = new Set(await listBanks());
    expect(told.walked.filter((bank) => !after.has(bank))).toEqual([]);
    expect(before.filter((bank) => !told.walked.includes(bank))).toEqual([]);
    expect(new Set(told.walked).size).toBe(told.walked.length);
    expect(told.entries).toEqual(['get_status']);
    expect(told.renamed).toBe('Renamed');
    expect(told.refused).toMatchObject({ code: 'INVALID_ARGUMENT', isOurs: true });
    // Headers that a page sees because the service lets it.
    expect(told.refused.requestId).toMatch(/^\S+$/);
    expect(told.limited.code).toBe('RATE_LIMITED');
    expect(told.limited.retryAfter).toBeGreaterThanOrEqual(1);
  });
});
