import type { GoalName } from '../report/judge.ts';

export interface Benchmark {
  /** On the command line, and of its results. */
  readonly name: string;
  /** Below `lab/bench/src`. */
  readonly file: string;
  readonly about: string;
  readonly goals: readonly GoalName[];
  /** As it is run with all others. */
  readonly arguments: readonly string[];
  /** For `--quick`: to see that it works. */
  readonly quickArguments: readonly string[];
  /** How often it is run: once where it has rounds of its own that are worth more than another start. */
  readonly repeats: number;
  /** About how long all of that takes on four quiet cores, minutes. */
  readonly minutes: number;
  /** Whose processor time `--profile` looks at; absent: nobody's. */
  readonly profiled?: 'api' | 'itself';
  /** Whether its error stream is shown while it runs: progress of what takes hours. */
  readonly showsProgress?: boolean;
  /** False: only by its name. */
  readonly isInAll: boolean;
}

/** Every benchmark there is; those of goals first. */
export const BENCHMARKS: readonly Benchmark[] = [
  {
    name: 'decode-accounts',
    file: 'decode-accounts.ts',
    about: "accounts from bytes, beside Anchor's coder",
    goals: ['decoding'],
    arguments: [],
    quickArguments: [],
    repeats: 2,
    minutes: 0.5,
    isInAll: true,
  },
  {
    name: 'rate-ingest',
    file: 'rate-ingest.ts',
    about: 'rate samples from the log in Postgres to rows, in a table of a million and one of ten, beside COPY',
    goals: ['projecting'],
    arguments: ['--rows', '1e7'],
    quickArguments: ['--rounds', '2', '--samples', '20000'],
    repeats: 1,
    minutes: 2.5,
    profiled: 'itself',
    isInAll: true,
  },
  {
    name: 'rate-ingest-kafka',
    file: 'rate-ingest.ts',
    about: 'the same from Kafka',
    goals: ['projecting'],
    arguments: ['--log', 'kafka'],
    quickArguments: ['--log', 'kafka', '--rounds', '2', '--samples', '20000'],
    repeats: 1,
    minutes: 1.2,
    profiled: 'itself',
    isInAll: true,
  },
  {
    name: 'rate-history',
    file: 'rate-history.ts',
    about: 'a year of hours of one bank, from a million samples and from a hundredth',
    goals: ['history'],
    arguments: [],
    quickArguments: ['--rows', '200000'],
    repeats: 1,
    minutes: 1.5,
    isInAll: true,
  },
  {
    name: 'get-banks',
    file: 'get-banks.ts',
    about: 'GET /v1/banks beside Fastify sending the same bytes; compressed, and to who has them',
    goals: ['banks'],
    arguments: ['--seconds', '1.5', '--rounds', '5'],
    quickArguments: ['--seconds', '0.5', '--rounds', '2'],
    repeats: 1,
    minutes: 1.5,
    profiled: 'api',
    isInAll: true,
  },
  {
    name: 'get-banks-mcp',
    file: 'get-banks-mcp.ts',
    about: "svc_get_banks over MCP beside a tool of the SDK's own that sends the same bytes",
    goals: ['mcp'],
    arguments: ['--seconds', '1.5', '--rounds', '5'],
    quickArguments: ['--seconds', '0.5', '--rounds', '2'],
    repeats: 1,
    minutes: 1.5,
    profiled: 'api',
    isInAll: true,
  },
  {
    name: 'build-actions',
    file: 'build-actions.ts',
    about: 'deposit, withdraw, borrow, repay beside the official SDK',
    goals: ['actions', 'sdk'],
    arguments: ['--rounds', '30'],
    quickArguments: ['--rounds', '5'],
    repeats: 1,
    minutes: 2,
    profiled: 'api',
    isInAll: true,
  },
  {
    name: 'build-leverage',
    file: 'build-leverage.ts',
    about: 'a loop and a close, quotes included',
    goals: ['leverage'],
    arguments: ['--rounds', '30'],
    quickArguments: ['--rounds', '5'],
    repeats: 1,
    minutes: 2,
    profiled: 'api',
    isInAll: true,
  },
  {
    name: 'chain-to-answer',
    file: 'chain-to-answer.ts',
    about: 'from a confirmed slot to an answer that knows of it, at 100 transactions a second',
    goals: ['chain'],
    arguments: ['--seconds', '60'],
    quickArguments: ['--seconds', '10'],
    repeats: 1,
    minutes: 1.5,
    isInAll: true,
  },
  {
    name: 'memory',
    file: 'memory.ts',
    about: 'resident memory with 100,000 accounts indexed, after minutes of use',
    goals: ['memory'],
    arguments: [],
    quickArguments: ['--accounts', '2000', '--seconds', '10'],
    repeats: 1,
    minutes: 3.2,
    isInAll: true,
  },
  {
    name: 'start-time',
    file: 'start-time.ts',
    about: 'npm start on an installed clone to the first served bank, on no data and on some',
    goals: ['start'],
    arguments: [],
    quickArguments: ['--rounds', '1'],
    repeats: 1,
    minutes: 0.8,
    isInAll: true,
  },
  {
    name: 'request-cost',
    file: 'request-cost.ts',
    about: 'what recording a call and tracing it cost',
    goals: [],
    arguments: ['--seconds', '1', '--rounds', '4'],
    quickArguments: ['--seconds', '0.5', '--rounds', '2'],
    repeats: 1,
    minutes: 0.8,
    isInAll: true,
  },
  {
    name: 'rate-limits',
    file: 'rate-limits.ts',
    about: 'what counting a request costs, beside the least that the database can be asked',
    goals: [],
    arguments: [],
    quickArguments: [],
    repeats: 1,
    minutes: 0.4,
    isInAll: true,
  },
  {
    name: 'account-health',
    file: 'account-health.ts',
    about: 'maintenance health of 100,000 accounts from their bytes, beside the official SDK',
    goals: [],
    arguments: [],
    quickArguments: [],
    repeats: 1,
    minutes: 0.4,
    isInAll: true,
  },
  {
    name: 'read-tools',
    file: 'read-tools.ts',
    about: 'the tools about accounts with 100,000 of them and a million activities',
    goals: [],
    arguments: [],
    quickArguments: ['--accounts', '1000', '--activities', '10000', '--requests', '200'],
    repeats: 1,
    minutes: 4,
    isInAll: false,
  },
  {
    name: 'build-load',
    file: 'build-load.ts',
    about: 'builds with 100,000 accounts indexed, and reads beside 50 builds',
    goals: [],
    arguments: [],
    quickArguments: ['--accounts', '1000', '--rounds', '10', '--builders', '4'],
    repeats: 1,
    minutes: 5,
    isInAll: false,
  },
  {
    name: 'idle',
    file: 'idle.ts',
    about: 'processor time and memory of the one-process shape for two hours without requests',
    goals: [],
    arguments: [],
    quickArguments: ['--minutes', '2'],
    repeats: 1,
    minutes: 121,
    showsProgress: true,
    isInAll: false,
  },
];

/** @throws Error naming those there are. */
export function benchmarkOf(name: string): Benchmark {
  const found = BENCHMARKS.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new Error(`${name} is no benchmark; there are: ${BENCHMARKS.map((each) => each.name).join(', ')}`);
}
