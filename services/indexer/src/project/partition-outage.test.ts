import { describe, expect, it } from 'vitest';
import { createPartitionOutage } from './partition-outage.ts';

const RATES = { topic: 'rate.sampled.v1', partition: 0 } as const;
const OTHER_RATES = { ...RATES, partition: 1 } as const;
const BANKS = { topic: 'bank.updated.v1', partition: 0 } as const;

function createRecorder() {
  const said: unknown[] = [];
  let nowMs = 0;
  const outage = createPartitionOutage(
    { failed: (error) => void said.push(error), recovered: () => void said.push('recovered') },
    () => nowMs,
  );
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { outage, said, pass };
}

describe('createPartitionOutage', () => {
  it('goes on while one partition fails, however well the others do', () => {
    const { outage, said } = createRecorder();
    outage.failed(RATES, 'first');
    outage.recovered(BANKS);
    outage.recovered(OTHER_RATES);
    expect(said).toEqual(['first']);
    outage.failed(BANKS, 'second');
    outage.recovered(RATES);
    expect(said).toEqual(['first', 'second']);
    outage.recovered(BANKS);
    expect(said).toEqual(['first', 'second', 'recovered']);
  });

  it('forgets a partition that has not been tried for two minutes: another consumer has it', () => {
    const { outage, said, pass } = createRecorder();
    outage.failed(RATES, 'lost');
    pass(120_000);
    outage.recovered(BANKS);
    expect(said).toEqual(['lost']);
    pass(1);
    outage.recovered(BANKS);
    expect(said).toEqual(['lost', 'recovered']);
  });
});
