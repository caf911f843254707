import { describe, expect, it } from 'vitest';
import { type CpuProfile, summarizeProfile } from './profile.ts';

const FRAMES = {
  idle: ['(idle)', ''],
  collect: ['(garbage collector)', ''],
  native: ['writev', ''],
  node: ['emit', 'node:events'],
  door: ['sendRead', 'file:///repo/services/api/src/rest/send-answer.ts'],
  main: ['start', 'file:///repo/services/api/src/app.ts'],
  ours: ['round', 'file:///repo/packages/domain/src/rates/round.ts'],
  library: ['inject', 'file:///repo/node_modules/fastify/lib/route.js'],
  scoped: ['parse', 'file:///repo/node_modules/a/node_modules/@scope/b/index.js'],
} as const;

function profileOf(...samples: readonly (readonly [keyof typeof FRAMES, number])[]): CpuProfile {
  const names = Object.keys(FRAMES);
  return {
    nodes: Object.values(FRAMES).map(([functionName, url], id) => ({
      id,
      callFrame: { functionName, url, lineNumber: 1 },
    })),
    startTime: 1_000_000,
    samples: samples.map(([name]) => names.indexOf(name)),
    timeDeltas: samples.map(([, took]) => took),
  };
}

describe('summarizeProfile', () => {
  it('leaves out waiting', () => {
    const summary = summarizeProfile(profileOf(['idle', 9_000], ['door', 1_000]), '/repo/');
    expect(summary).toMatchObject({ busyMs: 1, byPart: [{ name: 'services/api/src/rest', share: 1 }] });
  });

  it('leaves out what was before anything was measured', () => {
    const { byPart } = summarizeProfile(profileOf(['main', 500], ['ours', 400], ['door', 300]), '/repo/', 1_000_600);
    expect(byPart.map(({ name }) => name)).toEqual(['packages/domain', 'services/api/src/rest']);
  });

  it.each([
    ['collect', 'garbage collection'],
    ['native', 'native code'],
    ['node', 'Node'],
    ['door', 'services/api/src/rest'],
    ['main', 'services/api'],
    ['ours', 'packages/domain'],
    ['library', 'fastify'],
    ['scoped', '@scope/b'],
  ] as const)('says whose the time of %s is: %s', (name, part) => {
    expect(summarizeProfile(profileOf([name, 1]), '/repo/').byPart).toEqual([{ name: part, share: 1 }]);
  });

  it('orders by share, which add up to one', () => {
    const { byPart, byFunction } = summarizeProfile(
      profileOf(['ours', 1], ['door', 2], ['ours', 4], ['node', 1]),
      '/repo/',
    );
    expect(byPart.map(({ name, share }) => [name, share])).toEqual([
      ['packages/domain', 0.625],
      ['services/api/src/rest', 0.25],
      ['Node', 0.125],
    ]);
    expect(byFunction[0]).toEqual({ name: 'round (packages/domain)', share: 0.625 });
  });
});
