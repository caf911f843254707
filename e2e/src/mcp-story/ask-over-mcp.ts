import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnvelope, type StoryService } from '@lending/examples';
import type { McpCaller } from './mcp-callers.ts';

interface ToolError {
  readonly code: string;
  readonly details: { readonly retry_after_s?: number };
}

/** The story's questions through `/mcp`. What landed is verified over REST: no tool does that. */
export function askOverMcp(caller: McpCaller, { verify }: Pick<StoryService, 'verify'>): StoryService {
  const call = async <T>(name: string, args: Readonly<Record<string, unknown>>): Promise<T> => {
    for (;;) {
      const { isError, structuredContent } = await caller.callTool(name, args);
      if (isError !== true) return structuredContent as T;
      const { code, details } = structuredContent as ToolError;
      if (code !== 'RATE_LIMITED') throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
      await sleep((details.retry_after_s ?? 1) * 1_000);
    }
  };
  return {
    build: async (action, body) => parseEnvelope(await call(`svc_${action.replaceAll('-', '_')}`, body)),
    getBanks: (symbol) => call('svc_get_banks', { symbol, venue: 'P0', response_format: 'detailed' }),
    getWallet: (address) => call('svc_get_wallet', { address }),
    getPositions: (address) => call('svc_get_positions', { address }),
    getActivity: (address) => call('svc_get_activity', { address, response_format: 'detailed' }),
    verify,
  };
}
