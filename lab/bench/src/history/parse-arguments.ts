import { parseArgs } from 'node:util';

export interface HistoryBenchArguments {
  readonly rows: number;
  /** Where the data lie and stay; undefined: in a temporary folder that goes. */
  readonly data: string | undefined;
  /** Where samples come from. */
  readonly log: 'embedded' | 'kafka';
}

/** `--rows 1e8 --data /somewhere --log kafka`, all optional; others are for whoever asks for them. */
export function parseArguments(): HistoryBenchArguments {
  const { values } = parseArgs({
    strict: false,
    options: {
      rows: { type: 'string', default: '1000000' },
      data: { type: 'string' },
      log: { type: 'string', default: 'embedded' },
    },
  });
  const { data, log } = values;
  const rows = Number(values.rows);
  if (!Number.isInteger(rows) || rows < 100_000)
    throw new Error('--rows is a whole number from 100000 on, such as 1e8');
  if (log !== 'embedded' && log !== 'kafka') throw new Error('--log is embedded or kafka');
  return { rows, data: typeof data === 'string' ? data : undefined, log };
}
