/** A stranger's words without the key that he was sent, before anything of them is cut off or kept. */
export function hideKey(text: string, key: string | null): string {
  return key === null ? text : text.replaceAll(key, '(hidden)');
}
