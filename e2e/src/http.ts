/** GET as JSON; a status other than `status` throws with the body. */
export async function getJson<T>(url: string, status = 200): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}
