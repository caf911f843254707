import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('./render-explorer.ts', import.meta.url));

/** In a process of its own, which takes its memory with it: a thread leaves 35 MB to this one. */
async function render(): Promise<Explorer> {
  const { stdout } = await run(process.execPath, [PROGRAM], {
    encoding: 'buffer',
    maxBuffer: 16_000_000,
    timeout: 60_000,
    // Nothing of ours: there are credentials in it, and the program needs none.
    env: {},
  });
  const end = stdout.indexOf('\n');
  const { scriptHash, etag }: RenderedExplorer = JSON.parse(stdout.toString('utf8', 0, end));
  // A copy of its own size: what was read grew in steps.
  const gzip = Buffer.from(stdout.subarray(end + 1));
  return {
    gzip,
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
