import { describe, expect, it } from 'vitest';
import { judgeStatus, type StatusReason } from './judge-status.ts';

describe('judgeStatus', () => {
  it('is active where no reason holds', () => {
    expect(judgeStatus([['paused', 'suspended', false]])).toEqual({ status: 'active', reasons: [] });
  });

  it('lets the gravest effect decide and names all reasons in their order', () => {
    const reasons: StatusReason[] = [
      ['some', 'restricted', true],
      ['shut', 'closed', true],
      ['new', 'unknown', true],
      ['still', 'suspended', true],
    ];
    const statuses = reasons.map((_, index) => judgeStatus(reasons.slice(0, index + 1)).status);
    expect(statuses).toEqual(['restricted', 'closed', 'unknown', 'suspended']);
    expect(judgeStatus(reasons).reasons).toEqual(['some', 'shut', 'new', 'still']);
  });
});
