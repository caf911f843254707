/** Says of a path within the repository whether `.dockerignore` keeps it out of a build; the last line that fits decides. */
export function readIgnored(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isKept = line.startsWith('!');
      return { isKept, pattern: toPattern(isKept ? line.slice(1) : line) };
    });
  return (path) => {
    const fitting = rules.findLast(({ pattern }) => pattern.test(path));
    return fitting !== undefined && !fitting.isKept;
  };
}

/** A line means the path itself and all below it. */
function toPattern(line: string): RegExp {
  const source = line
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}
