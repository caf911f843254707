/** Whether a header `If-None-Match` names this entity tag, or any. Weak tags and strong ones are the same here (RFC 9110 §13.1.2). */
export function matchesETag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque);
}
