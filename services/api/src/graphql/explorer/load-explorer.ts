import { Worker } from 'node:worker_threads';
import type { RenderedExplorer } from './render-explorer.ts';

/** A page to write queries in, ready to be served from memory. */
export interface Explorer {
  readonly gzip: Buffer;
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
}

let loading: Promise<Explorer> | undefined;

/** Renders it when somebody first asks, once for the process; where that fails, the next who asks tries again. */
export function loadExplorer(): Promise<Explorer> {
  loading ??= render().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function render(): Promise<Explorer> {
  const { gzip, scriptHash, etag } = await new Promise<RenderedExplorer>((resolve, reject) => {
    // Nothing of the environment: there are credentials in it, and the thread needs none.
    const worker = new Worker(new URL('./render-explorer.ts', import.meta.url), {
      name: 'explorer',
      env: {},
      execArgv: [],
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new TypeError(`the explorer was not rendered: its thread ended with ${code}`)),
    );
  });
  return {
    gzip: Buffer.from(gzip),
    headers: {
      etag,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(scriptHash),
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    },
  };
}

/**
 * The one script of the page and the workers it makes of texts inside it, styles that the editor writes as it goes, and nothing from
 * other hosts: pictures and fonts are in the page.
 */
function policyOf(scriptHash: string): string {
  return [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
