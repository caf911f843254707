import { describe, expect, it } from 'vitest';
import { KeptText } from './kept-text.ts';

const textOf = (parts: readonly Buffer[]) => Buffer.concat(parts).toString('utf8');

describe('KeptText.between', () => {
  it('gives all of it, made once while nothing around it changes', () => {
    const kept = new KeptText('["ä"]');
    const first = kept.between('{"rows":', ',"age_seconds":1}');
    expect(textOf(first.parts)).toBe('{"rows":["ä"],"age_seconds":1}');
    expect(kept.between('{"rows":', ',"age_seconds":1}')).toBe(first);
  });

  it('is another text as soon as something around it changes', () => {
    const kept = new KeptText('[]');
    kept.between('{"rows":', '}');
    expect(textOf(kept.between('{"rows":', ',"age_seconds":2}').parts)).toBe('{"rows":[],"age_seconds":2}');
    expect(textOf(kept.between('{"list":', ',"age_seconds":2}').parts)).toBe('{"list":[],"age_seconds":2}');
  });

  it('keeps its name while only the age changes', () => {
    const kept = new KeptText('[]');
    const nameOf = (after: string) => kept.between('{"rows":', after).digest;
    expect(nameOf(',"age_seconds":1.5}')).toBe(nameOf(',"age_seconds":2}'));
    expect(nameOf(',"age_seconds":2,"stale":true}')).not.toBe(nameOf(',"age_seconds":2}'));
    expect(new KeptText('[1]').between('{"rows":', '}').digest).not.toBe(nameOf('}'));
  });
});
