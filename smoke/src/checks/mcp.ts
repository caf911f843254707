import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Check, World } from './check.ts';
import type { Findings } from './findings.ts';

const WHO = { name: 'smoke', version: '1' };
const MOST_ATTEMPTS = 5;

type Arguments = Readonly<Record<string, unknown>>;

interface Answer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}

/** How each read is asked; null where nothing is known that it could be asked of. */
const READS: Readonly<Record<string, (findings: Findings) => Arguments | null>> = {
  svc_get_banks: () => ({ limit: 5, sort: 'deposits_usd' }),
  svc_get_strategies: () => ({ limit: 3 }),
  svc_get_wallet: ({ candidates }) => ofSomebody(candidates[0]?.authority, 'address'),
  svc_get_positions: ({ candidates }) => ofSomebody(candidates[0]?.authority, 'address'),
  svc_get_health: ({ candidates }) => ofSomebody(candidates.flatMap((one) => one.accounts)[0]?.address, 'account'),
  svc_get_activity: ({ candidates }) => ofSomebody(candidates[0]?.authority, 'address'),
  svc_search_docs: () => ({ query: 'leverage' }),
  svc_get_doc: () => ({ slug: 'units' }),
};

function ofSomebody(address: string | undefined, field: string): Arguments | null {
  return address === undefined ? null : { [field]: address };
}

/** An agent's tool, called as agents do; waits as long as a limit says. */
export async function callTool({ service, findings }: World, name: string, args: Arguments): Promise<Answer> {
  const client = new Client(WHO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
  try {
    // Answers are compared with the schemas that are listed.
    await client.listTools();
    for (let attempt = 1; ; attempt += 1) {
      const answer = (await client.callTool({ name, arguments: { ...args } })) as Answer;
      const { code, details } = (answer.structuredContent ?? {}) as {
        code?: string;
        details?: { retry_after_s?: number };
      };
      if (answer.isError !== true) {
        findings.tools.add(name);
        return answer;
      }
      if (code !== 'RATE_LIMITED' || attempt === MOST_ATTEMPTS) return answer;
      await sleep((details?.retry_after_s ?? 1) * 1_000);
    }
  } finally {
    await client.close();
  }
}

/** All reads as an agent asks them; and that an agent of the generation before gets the same. */
export const mcp: Check = {
  name: 'agents get every read over MCP',
  async run(world) {
    const { service, findings } = world;
    const faults: string[] = [];
    for (const [name, argumentsOf] of Object.entries(READS)) {
      const args = argumentsOf(findings);
      if (args === null) faults.push(`${name}: there is nobody to ask about`);
      else {
        const { isError, structuredContent } = await callTool(world, name, args);
        if (isError === true) faults.push(`${name}: ${JSON.stringify(structuredContent).slice(0, 300)}`);
      }
    }
    const older = new OlderClient(WHO);
    const transport = new OlderTransport(new URL(`${service.url}/mcp`));
    // The library's own types differ where `undefined` may stand.
    await older.connect(transport as unknown as Parameters<typeof older.connect>[0]);
    const { tools } = await older.listTools();
    const answer = (await older.callTool({ name: 'svc_get_banks', arguments: { limit: 5 } })) as Answer;
    await older.close();
    if (answer.isError === true) faults.push('the client of the 2025 revisions is refused');
    return { faults, figures: { tools: tools.length, revision: transport.protocolVersion } };
  },
};

/** That no tool was left out: one that is new needs a check. */
export const everyTool: Check = {
  name: 'every tool of agents was called and answered',
  async run({ service, findings }) {
    const client = new Client(WHO, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
    const { tools } = await client.listTools();
    await client.close();
    const left = tools.filter(({ name }) => !findings.tools.has(name));
    return { faults: left.map(({ name }) => `${name} was not answered`), figures: { answered: findings.tools.size } };
  },
};
