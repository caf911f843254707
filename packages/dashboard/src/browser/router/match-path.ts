/** What the `:name` segments of a pattern stand for. */
export type PathParams = Readonly<Record<string, string>>;

/** Fits a path to a pattern such as `/banks/:address`; null where it does not. A slash at the end counts for nothing. */
export function matchPath(pattern: string, path: string): PathParams | null {
  const wanted = segmentsOf(pattern);
  const given = segmentsOf(path);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const text = given[index] as string;
    if (segment.startsWith(':')) params[segment.slice(1)] = decode(text);
    else if (segment !== text) return null;
  }
  return params;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** A segment that is no percent-encoding stands for itself: it then names nothing that exists. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
