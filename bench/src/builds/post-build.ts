/** Asks the service for a build. @throws Error with the answer when it is not one. */
export async function postBuild(baseUrl: string, path: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: HTTP ${response.status} ${text}`);
}
