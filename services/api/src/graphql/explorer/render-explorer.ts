import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { WELCOME_QUERY } from './welcome-query.ts';

/** What is said of the page, in one line before it. */
export interface RenderedExplorer {
  /** Of the one script in it, as a content security policy names it. */
  readonly scriptHash: string;
  readonly etag: string;
}

/** A program that writes the page, compressed: what renders it is 9 MB of text, the page another, and both are needed once. */
const html = renderGraphiQL({ title: 'Lending GraphQL', endpoint: '/graphql', defaultQuery: WELCOME_QUERY });
const rendered: RenderedExplorer = {
  scriptHash: `'sha256-${sha256(onlyScriptOf(html)).toString('base64')}'`,
  etag: `W/"${sha256(html).toString('base64url').slice(0, 22)}"`,
};
process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(rendered)}\n`), gzipSync(html, { level: 9 })]));

/** What a browser takes for the script: from the first tag that opens one to the first that could close it. */
function onlyScriptOf(page: string): string {
  const opening = '<script>';
  const start = page.indexOf(opening) + opening.length;
  const end = page.indexOf('</script', start);
  if (start < opening.length || end === -1 || page.indexOf('</script', end + 1) !== -1) {
    throw new TypeError('the explorer has not just one script: its policy has to be thought over');
  }
  return page.slice(start, end);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
