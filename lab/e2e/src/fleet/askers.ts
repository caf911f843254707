import type { Ledger } from '@lending/localnet';
import { address } from '@solana/kit';
import type { Asker } from '../cluster/traffic.ts';
import type { McpCaller } from '../mcp-story/mcp-callers.ts';
import { INSTANCE_HEADER } from './balancer.ts';
import { banksHeldSince, type ChainRecord, judgePositions, type PositionsAnswer } from './chain-record.ts';

export interface AskersOptions {
  readonly url: string;
  readonly ledger: Ledger;
  readonly record: ChainRecord;
  readonly freshness: Freshness;
  /** Lending accounts that are asked for, and the wallets that own them. */
  readonly accounts: readonly { readonly address: string; readonly authority: string }[];
  readonly banks: readonly string[];
}

interface Dated {
  readonly as_of: { readonly slot: number; readonly stale: boolean };
  readonly coverage?: { readonly complete?: boolean };
}

/** People who read at REST and GraphQL, and look at what they are told. */
export function readersOf(options: AskersOptions): readonly Asker[] {
  const { accounts, banks } = options;
  const account = inTurn(accounts);
  const bank = inTurn(banks);
  const rest = (name: string, path: () => string, judge?: (answer: Dated) => string | null): Asker => ({
    name: `REST ${name}`,
    ask: () => readRest(options, name, path(), judge),
  });
  const judged = (answer: Dated) =>
    judgePositions(answer as Dated & PositionsAnswer, options.ledger.slot('confirmed'), options.record);
  return [
    rest('banks', () => '/v1/banks'),
    rest('bank', () => `/v1/banks/${bank()}`),
    rest('positions', () => `/v1/account/${account().address}`, judged),
    rest('positions of a wallet', () => `/v1/account/${account().authority}`, judged),
    rest('health', () => `/v1/health/${account().address}`),
    rest('activity', () => `/v1/activity/${account().address}`),
    rest('strategies', () => '/v1/strategies?limit=10'),
    {
      name: 'GraphQL',
      ask: () => readGraphql(options, account().address),
    },
  ];
}

/** A client of MCP that goes on calling tools. */
export function mcpAsker(name: string, caller: McpCaller, options: AskersOptions): Asker {
  const account = inTurn(options.accounts);
  const call = inTurn(['svc_get_banks', 'svc_get_positions', 'svc_get_health', 'svc_search_docs']);
  return {
    name: `MCP ${name}`,
    async ask() {
      const { address } = account();
      const tool = call();
      const given = { svc_get_banks: {}, svc_search_docs: { query: 'health' } } as Record<string, object>;
      const args = given[tool] ?? (tool === 'svc_get_health' ? { account: address } : { address });
      const { isError, structuredContent } = await caller.callTool(tool, args as Record<string, unknown>);
      if (isError === true) throw new Error(`${tool}: ${JSON.stringify(structuredContent)}`);
      if (tool !== 'svc_get_positions') return;
      // Shortened answers are judged at the other door.
      if ((structuredContent as Dated).as_of.stale) throw new Error(`${tool} is stale`);
    },
  };
}

async function readRest(
  options: AskersOptions,
  name: string,
  path: string,
  judge?: (answer: Dated) => string | null,
): Promise<void> {
  const { url, freshness } = options;
  const beganMs = performance.now();
  const response = await fetch(url + path);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body.slice(0, 300)}`);
  const answer = JSON.parse(body) as Dated;
  if (answer.as_of.stale) throw new Error(`${path} is stale`);
  const instance = response.headers.get(INSTANCE_HEADER) ?? '';
  // While all accounts are read anew, one that nobody asked for before is as old as its own row, and the answer says it is not complete.
  const isWhole = answer.coverage?.complete !== false;
  const subject = isWhole ? subjectOf(options, name, path, answer.as_of.slot) : null;
  const dated = subject === null ? null : freshness.note(subject, instance, answer.as_of.slot, beganMs);
  const fault = dated ?? judge?.(answer) ?? null;
  if (fault !== null) throw new Error(`wrong: ${fault}`);
}

/**
 * What may not go back: a page, or an account with the banks that it has. An answer is as old as the oldest bank in it, so one of other
 * banks may be older; null where it cannot be told which they are.
 */
function subjectOf(
  { accounts, ledger, record }: AskersOptions,
  name: string,
  path: string,
  slot: number,
): string | null {
  if (name === 'strategies') return null;
  const account = accounts.find(({ address, authority }) => path.endsWith(address) || path.endsWith(authority));
  if (account === undefined || name === 'activity') return path;
  const sets = banksHeldSince(address(account.address), BigInt(slot), ledger.slot('confirmed'), record);
  return sets.length === 1 ? `${path} with ${sets}` : null;
}

const QUERY = `query ($account: PublicKey!) {
  banks(first: 5) { asOf { slot stale } nodes { address symbol rates { utilizationPct } } }
  account(address: $account) { address updatedSlot positions { bank side amountRaw } }
}`;

async function readGraphql({ url }: AskersOptions, account: string): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY, variables: { account } }),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`/graphql answered ${response.status}: ${body.slice(0, 300)}`);
  const { errors, data } = JSON.parse(body) as { errors?: unknown; data?: { account: { address: string } | null } };
  if (errors !== undefined || data?.account?.address !== account) throw new Error(`wrong: ${body.slice(0, 500)}`);
}

function inTurn<T>(list: readonly T[]): () => T {
  let next = -1;
  return () => {
    next += 1;
    const one = list[next % list.length];
    if (one === undefined) throw new Error('there is nothing to ask for');
    return one;
  };
}

/** How the age of answers went on, at each instance and at all of them. */
export interface Freshness {
  /**
   * @param beganMs when it was asked: what was answered before that is what it may not be behind.
   * @returns what is wrong, or null.
   */
  note(question: string, instance: string, slot: number, beganMs: number): string | null;
}

interface Answered {
  readonly atMs: number;
  /** The newest slot up to then. */
  readonly slot: number;
}

/** An instance never goes back; of two, one may know a little less. */
export function createFreshness(mostSlotsBack: number): Freshness {
  const answered = new Map<string, Answered[]>();

  function knownBefore(subject: string, beganMs: number, slot: number): number {
    const all = answered.get(subject) ?? [];
    const before = all.findLast(({ atMs }) => atMs < beganMs)?.slot ?? 0;
    all.push({ atMs: performance.now(), slot: Math.max(slot, all.at(-1)?.slot ?? 0) });
    answered.set(subject, all);
    return before;
  }

  return {
    note(question, instance, slot, beganMs) {
      const own = `${question} at ${instance}`;
      const before = knownBefore(own, beganMs, slot);
      const anywhere = knownBefore(question, beganMs, slot);
      if (slot < before) return `${own} went back from slot ${before} to ${slot}`;
      return anywhere - slot > mostSlotsBack ? `${own} answered slot ${slot} after another had ${anywhere}` : null;
    },
  };
}
