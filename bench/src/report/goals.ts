/** What was set out to be reached, in the words it was set in; figures name the goal they belong to. */
export const GOALS = {
  projecting: {
    what: 'projecting rate samples, Kafka or log → rows',
    yardstick: '`COPY` of the same rows into the same table',
    goal: '≥ 0.6 of its rows/s, flat from 1 to 100 million rows',
  },
  banks: {
    what: '`GET /v1/banks`, 120 banks, keep-alive',
    yardstick: 'Fastify sending the same bytes from memory',
    goal: '≥ 0.8 of its requests/s',
  },
  mcp: {
    what: '`svc_get_banks` over MCP',
    yardstick: "the SDK's own echo tool with the same bytes",
    goal: '≥ 0.8',
  },
  actions: {
    what: 'building a deposit, borrow, withdraw, repay',
    yardstick: 'sum of its RPC calls alone',
    goal: '≤ 2 sequential round trips, ≤ 10 ms of our own time at p50',
  },
  leverage: {
    what: 'building a loop or close, quotes included',
    yardstick: 'the same',
    goal: '≤ 3 sequential round trips besides the aggregator, ≤ 30 ms of our own time',
  },
  sdk: {
    what: 'the same build of an action with the official TypeScript SDK against the same node',
    yardstick: 'the SDK',
    goal: 'fewer round trips and less time than it, side by side',
  },
  chain: {
    what: 'chain to answer, 100 transactions a second on the local chain',
    yardstick: '–',
    goal: 'p50 ≤ 500 ms, p99 ≤ 2 s',
  },
  decoding: {
    what: 'decoding accounts',
    yardstick: "Anchor's `BorshAccountsCoder` on the same bytes",
    goal: '≥ 20 ×',
  },
  history: {
    what: 'history query, one year of hours, one bank',
    yardstick: 'the same query and output against a store of 1/100 the rows',
    goal: '≤ 1.5 ×',
  },
  memory: {
    what: 'memory',
    yardstick: '–',
    goal: 'embedded process ≤ 450 MB; one api ≤ 200 MB with 100,000 accounts indexed, ≤ 320 MB with two simulation workers',
  },
  start: {
    what: '`npm start` on an installed clone to first served bank',
    yardstick: '–',
    goal: '≤ 8 s',
  },
} as const;

export type GoalName = keyof typeof GOALS;
