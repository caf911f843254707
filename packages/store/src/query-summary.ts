/** Texts are written in our code, and there are so many of them: what was said of one is said of it again. */
const summaries = new Map<string, string>();
/** More than our code has; texts made of lists of any length must not fill the memory. */
const MOST = 1_000;

/** A statement in a few words, for a person who looks for it: what it does, to which table first. */
export function querySummary(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const summary = summarize(text);
  if (summaries.size < MOST) summaries.set(text, summary);
  return summary;
}

function summarize(text: string): string {
  const [verb = ''] = /[a-z]+/i.exec(text) ?? [];
  const names = new Set(
    [...text.matchAll(/\bwith\s+(?:recursive\s+)?"?(\w+)"?|\)\s*,\s*"?(\w+)"?\s+as\b/gi)].map(nameOf),
  );
  const tables = [...text.matchAll(/\b(?:from|into|update|join|copy|table)\s+"?(\w+)"?/gi)].map(nameOf);
  const table = tables.find((name) => !names.has(name) && name !== 'unnest' && name !== 'lateral');
  return [verb.toUpperCase(), ...(table === undefined ? [] : [table])].join(' ');
}

function nameOf([, first, second]: RegExpExecArray): string {
  return first ?? second ?? '';
}
