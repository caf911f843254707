import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnvelope, type StoryService } from '@lending/examples';
import { expectPossible, type NextAction } from './expect-possible.ts';
import type { McpCaller } from './mcp-callers.ts';

interface ToolError {
  readonly code: string;
  readonly details: { readonly retry_after_s?: number };
}

interface Answer {
  readonly next_actions?: readonly NextAction[];
}

interface Built extends Answer {
  readonly plan_id: string;
}

type Verified = Awaited<ReturnType<StoryService['verify']>> & { readonly signature: string | null };

interface Simulated extends Answer {
  readonly would_land: boolean;
}

/**
 * The story's questions through the tools of `/mcp`, and nothing else: each plan is simulated again before it is signed, and verified by the
 * call that its envelope names, then by its signature.
 * @throws Error where an answer names a next action that is not possible.
 */
export function askOverMcp(caller: McpCaller): StoryService {
  const call = async <T>(name: string, args: Readonly<Record<string, unknown>>): Promise<T> => {
    for (;;) {
      const { isError, structuredContent } = await caller.callTool(name, args);
      if (isError !== true) {
        for (const action of (structuredContent as Answer).next_actions ?? []) expectPossible(caller, action);
        return structuredContent as T;
      }
      const { code, details } = structuredContent as ToolError;
      if (code !== 'RATE_LIMITED') throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
      await sleep((details.retry_after_s ?? 1) * 1_000);
    }
  };
  const verifications = new Map<string, Extract<NextAction, { readonly tool: string }>>();
  return {
    async build(action, body) {
      const built = await call<Built>(`svc_${action.replaceAll('-', '_')}`, body);
      const verify = built.next_actions?.find((next) => 'tool' in next);
      if (verify === undefined) throw new Error(`${action}: the envelope names no call that verifies it`);
      verifications.set(built.plan_id, verify);
      const again = await call<Simulated>('svc_get_health', { plan_id: built.plan_id });
      if (!again.would_land) throw new Error(`${action}: would not land: ${JSON.stringify(again)}`);
      return parseEnvelope(built);
    },
    getBanks: (symbol) => call('svc_get_banks', { symbol, venue: 'P0', response_format: 'detailed' }),
    getWallet: (address) => call('svc_get_wallet', { address }),
    getPositions: (address) => call('svc_get_positions', { address }),
    getActivity: (address) => call('svc_get_activity', { address, response_format: 'detailed' }),
    async verify(signature, planId) {
      const { tool, args } = verifications.get(planId) ?? { tool: 'svc_get_activity', args: {} };
      const found = await call<Verified>(tool, args);
      if (found.signature === null) return found;
      if (found.signature !== signature)
        throw new Error(`the transaction of plan ${planId} is ${signature}, and ${found.signature} was found`);
      return call(tool, { signature, plan_id: planId });
    },
  };
}
