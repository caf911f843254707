import { afterEach, describe, expect, it } from 'vitest';
import { stripTypes } from './strip-types.ts';

describe('stripTypes', () => {
  const warnings: string[] = [];
  const listen = (warning: Error) => warnings.push(warning.message);
  afterEach(() => {
    process.off('warning', listen);
    warnings.length = 0;
  });

  it('leaves the code where it stood, without its types', () => {
    expect(stripTypes('const one: number = 1;\nexport { one };')).toBe('const one         = 1;\nexport { one };');
  });

  it('refuses what is more than a type', () => {
    expect(() => stripTypes('enum Side { Lend }')).toThrow(/enum/);
  });

  it('warns of nothing itself, and lets other warnings through', async () => {
    process.on('warning', listen);
    stripTypes('let a: string;');
    process.emitWarning('something else');
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual(['something else']);
  });
});
