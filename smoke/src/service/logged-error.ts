const FAILURES: ReadonlySet<unknown> = new Set(['error', 'fatal']);

/** Which event a line of the log says failed; null for any other line. */
export function loggedError(line: string): string | null {
  if (!line.startsWith('{')) return null;
  try {
    const { level, event, msg } = JSON.parse(line) as { level?: string; event?: string; msg?: string };
    return FAILURES.has(level) ? (event ?? msg ?? line.slice(0, 200)) : null;
  } catch {
    return null;
  }
}
