import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '@lending/testing';

const run = promisify(execFile);

interface Asking {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const JAVASCRIPT = `import { LendingClient } from '${ROOT}clients/javascript/src/index.js';
const lending = new LendingClient({ baseUrl: process.env.LENDING_URL });
console.log(JSON.stringify(await lending.banks({ limit: 1 })));`;
const PYTHON = `import json, os, sys
sys.path.insert(0, "clients/python")
from lending import LendingClient
print(json.dumps(LendingClient(os.environ["LENDING_URL"]).banks(limit=1)))`;
const PHP = `require "clients/php/autoload.php";
echo json_encode((new Lending\\LendingClient(getenv("LENDING_URL")))->banks(["limit" => 1]));`;

/** How each client asks for one bank and prints its answer, and how its language is told whom to trust. */
const CLIENTS: Readonly<Record<string, (authority: string) => Asking>> = {
  JavaScript: (authority) => ({
    program: process.execPath,
    args: ['--input-type=module', '--eval', JAVASCRIPT],
    env: { NODE_EXTRA_CA_CERTS: authority },
  }),
  Python: (authority) => ({ program: 'python3', args: ['-c', PYTHON], env: { SSL_CERT_FILE: authority } }),
  PHP: (authority) => ({ program: 'php', args: ['-d', `curl.cainfo=${authority}`, '-r', PHP] }),
  cURL: (authority) => ({
    program: 'bash',
    args: ['clients/curl/lending', 'banks', 'limit=1'],
    env: { CURL_CA_BUNDLE: authority },
  }),
};

/** What a client is told of one bank, where its language trusts the authority; throws with what it printed where it does not. */
export async function listOneBank(language: string, url: string, authorityFile: string): Promise<unknown> {
  const client = CLIENTS[language]?.(authorityFile);
  if (client === undefined) throw new Error(`nobody wrote down how ${language} asks`);
  const { stdout } = await run(client.program, client.args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', LENDING_URL: url, ...client.env },
  });
  return JSON.parse(stdout);
}
