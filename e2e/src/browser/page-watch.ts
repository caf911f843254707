import type { Page } from 'playwright-core';

/** What a page did that no reader sees: trouble it had, and documents it loaded. */
export interface PageWatch {
  /** Console messages above info, uncaught errors, failed or refused requests, requests to another host; one line each. */
  readonly troubles: readonly string[];
  /** Documents that were loaded into the page: more than one is a navigation or a reload. */
  documents(): number;
  /** Requests to the service below a path so far, for those who count what a page costs. */
  requestsTo(pathPrefix: string): readonly string[];
}

/** Begins to watch a page that has not gone anywhere yet. */
export function watchPage(page: Page, origin: string): PageWatch {
  const troubles: string[] = [];
  const urls: URL[] = [];
  let documents = 0;

  page.on('console', (message) => {
    if (!['error', 'warning', 'assert'].includes(message.type())) return;
    const { url, lineNumber } = message.location();
    troubles.push(`console ${message.type()}: ${message.text()} (${url}:${lineNumber})`);
  });
  page.on('pageerror', (error) => troubles.push(`page error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    urls.push(url);
    if (url.origin !== origin) troubles.push(`request to another host: ${request.method()} ${url}`);
    if (request.resourceType() === 'document' && request.frame() === page.mainFrame()) documents += 1;
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // A request that the page itself gave up, on leaving or on asking anew, is no failure.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`request failed: ${request.method()} ${request.url()}: ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`answered ${response.status()}: ${response.url()}`);
  });

  return {
    troubles,
    documents: () => documents,
    requestsTo: (prefix) =>
      urls.filter((url) => url.pathname.startsWith(prefix)).map((url) => url.pathname + url.search),
  };
}
