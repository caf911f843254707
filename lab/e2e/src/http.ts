/** GET as JSON; a status other than `status` throws with the body. */
export async function getJson<T>(url: string, status = 200): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}

/** POST of JSON; the status and the body, whatever they are. */
export async function postJson<T>(
  url: string,
  question: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: T }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(180_000),
  });
  return { status: response.status, body: (await response.json()) as T };
}
