import { parseArgs } from 'node:util';

export interface HistoryBenchArguments {
  readonly rows: number;
  /** Where the data lie and stay; undefined: in a temporary folder that goes. */
  readonly data: string | undefined;
}

/** `--rows 1e8 --data /somewhere`, both optional. */
export function parseArguments(): HistoryBenchArguments {
  const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' }, data: { type: 'string' } } });
  const rows = Number(values.rows);
  if (!Number.isInteger(rows) || rows < 100_000)
    throw new Error('--rows is a whole number from 100000 on, such as 1e8');
  return { rows, data: values.data };
}
