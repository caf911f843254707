import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { quietTimerWarning } from './quiet-timer-warning.ts';

describe('quietTimerWarning', () => {
  it('drops the negative timeout and lets every other warning pass', async () => {
    quietTimerWarning();
    const warned = once(process, 'warning');
    process.emitWarning('-17952 is a negative number', 'TimeoutNegativeWarning');
    process.emitWarning('something else', 'OtherWarning');
    const [warning] = (await warned) as [Error];
    expect(warning.name).toBe('OtherWarning');
  });
});
