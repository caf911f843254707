import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundleOf, ROOT } from '@lending/testing';

const run = promisify(execFile);

/** A token of a caller's own, for an embedded instance that runs on this folder: `npm run token -- create`. */
export async function issueToken(dataDir: string, caller: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [bundleOf('embedded/src/token.ts'), 'create', caller], {
    cwd: ROOT,
    env,
  });
  const token = stdout.trim();
  if (!/^lend_\S+$/.test(token)) throw new Error('the token command printed no token');
  return token;
}

/** A conversation of a caller's own. @returns its id */
export async function openConversation(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/conversations`, { method: 'POST', headers });
  return ((await response.json()) as { readonly id: string }).id;
}
