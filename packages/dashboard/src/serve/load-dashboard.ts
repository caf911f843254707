import { createHash } from 'node:crypto';
import { chooseEncoding, type EncodedBody, encodeBody } from './encode-body.ts';
import { renderIndexHtml } from './index-html.ts';
import { readSources } from './read-sources.ts';

/** What a request is answered with. */
export interface PageReply {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the status has none. */
  readonly body: Buffer | null;
}

/** What of a request decides about its answer. */
interface PageRequest {
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** The pages, ready to be served from memory. */
export interface Dashboard {
  /** What every page path is answered with: the pages themselves decide what they show. */
  answerPage(request: PageRequest): PageReply;
  /** What a path below `/assets/` is answered with; null when there is no such file. */
  answerAsset(path: string, request: PageRequest): PageReply | null;
  /** URLs of all that a first visit loads, besides the page. */
  readonly assetUrls: readonly string[];
}

interface Prepared {
  readonly body: EncodedBody;
  readonly headers: Readonly<Record<string, string>>;
}

let loading: Promise<Dashboard> | undefined;

/**
 * Reads, strips and compresses the pages; once per process, however often it is called.
 * @throws when a file is missing or is no TypeScript that can be stripped: the installation is broken.
 */
export function loadDashboard(): Promise<Dashboard> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Dashboard> {
  const sources = readSources();
  const html = renderIndexHtml(sources);
  const page = await prepare(html.text, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': html.contentSecurityPolicy,
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
  const assets = new Map(
    await Promise.all(
      sources.assets.map(async ({ url, mediaType, text }) => {
        const headers = { 'content-type': mediaType, 'cache-control': 'public, max-age=31536000, immutable' };
        return [url, await prepare(text, headers)] as const;
      }),
    ),
  );
  return {
    answerPage: (request) => answer(page, request),
    answerAsset: (path, request) => {
      const asset = assets.get(path);
      return asset === undefined ? null : answer(asset, request);
    },
    assetUrls: [...assets.keys()],
  };
}

async function prepare(text: string, headers: Readonly<Record<string, string>>): Promise<Prepared> {
  // Weak: the encodings of one text share it.
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const body = await encodeBody(text);
  return { body, headers: { ...headers, etag, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' } };
}

function answer({ body, headers }: Prepared, { acceptEncoding, ifNoneMatch }: PageRequest): PageReply {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
  if (known.includes(headers.etag as string) || known.includes('*')) return { status: 304, headers, body: null };
  const encoding = chooseEncoding(acceptEncoding);
  return {
    status: 200,
    headers: encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding },
    body: body[encoding],
  };
}
