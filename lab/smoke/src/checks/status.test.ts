import { describe, expect, it } from 'vitest';
import { newScan } from '#first-contact/scan.ts';
import { noFindings, type World } from './check.ts';
import { everyOperation } from './status.ts';

function worldOf(
  operations: readonly string[],
  answers: Readonly<Record<string, number>>,
  token: string | null = null,
) {
  const uses = new Map(
    Object.entries(answers).map(([id, count]) => [id, { calls: 1, answers: count, ms: 1, bytes: 1 }]),
  );
  const service = { operations: new Map(operations.map((id) => [id, {}])), uses };
  return { service, token, findings: noFindings(newScan()) } as unknown as World;
}

describe('everyOperation', () => {
  it('is content where each was answered', async () => {
    expect(await everyOperation.run(worldOf(['a', 'b'], { a: 1, b: 2 }))).toMatchObject({ faults: [] });
  });

  it('names what was not asked, and what only refused', async () => {
    const faults = ['b was not answered', 'c was not answered'];
    expect(await everyOperation.run(worldOf(['a', 'b', 'c'], { a: 1, c: 0 }))).toMatchObject({ faults });
  });

  it('takes what the stream told for its answer', async () => {
    const world = worldOf(['svc_stream'], {});
    expect(await everyOperation.run(world)).toMatchObject({ faults: ['svc_stream was not answered'] });
    world.findings.isStreamHeard = true;
    expect(await everyOperation.run(world)).toMatchObject({ faults: [] });
  });

  it('asks for conversations where there is a token', async () => {
    const operations = ['list_conversations'];
    expect(await everyOperation.run(worldOf(operations, {}))).toMatchObject({ faults: [] });
    const faults = ['list_conversations was not answered'];
    expect(await everyOperation.run(worldOf(operations, {}, 'token'))).toMatchObject({ faults });
  });
});
