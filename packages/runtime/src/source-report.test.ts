import { describe, expect, it } from 'vitest';
import { createRecordingLogger } from '#testing/recording-logger.ts';
import { createSourceBoard } from './source-board.ts';
import { reportSourcesOnBeat } from './source-report.ts';

describe('reportSourcesOnBeat', () => {
  it('tells what stands on the board at each beat, also after a telling that failed, until it is stopped', async () => {
    const board = createSourceBoard();
    const stopping = new AbortController();
    const told: number[] = [];
    const running = reportSourcesOnBeat(
      {
        board,
        everyMs: 5,
        logger: createRecordingLogger().logger,
        tell: async (sources) => {
          told.push(sources.length);
          if (told.length === 1) throw new Error('the database is away');
          if (told.length === 2) board.declare('rpc', 'a:1');
          if (told.length === 4) stopping.abort();
        },
      },
      stopping.signal,
    );
    await running;
    expect(told).toEqual([0, 0, 1, 1]);
  });
});
