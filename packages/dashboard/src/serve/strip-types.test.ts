import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { stripTypes } from './strip-types.ts';

/** A fresh process: Node warns of an experiment once in the life of one. */
async function runFresh(lines: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const module = JSON.stringify(new URL('./strip-types.ts', import.meta.url).href);
  const code = `import { stripTypes } from ${module};\n${lines}`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
}

describe('stripTypes', () => {
  it('leaves the code where it stood, without its types', () => {
    expect(stripTypes('const one: number = 1;\nexport { one };')).toBe('const one         = 1;\nexport { one };');
  });

  it('refuses what is more than a type', () => {
    expect(() => stripTypes('enum Side { Lend }')).toThrow(/enum/);
  });

  it('warns of nothing', async () => {
    expect((await runFresh("stripTypes('let a: string;');")).stderr).toBe('');
  });

  it('leaves warnings as they were, also when it fails', async () => {
    const { stdout } = await runFresh(`
      const before = process.emitWarning;
      stripTypes('let a: string;');
      try { stripTypes('enum Side { Lend }'); } catch {}
      console.log(process.emitWarning === before);`);
    expect(stdout.trim()).toBe('true');
  });
});
