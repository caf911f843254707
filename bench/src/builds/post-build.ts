import type { SdkAction } from '@lending/conformance/sdk/sdk-client.ts';

/** Asks the service for a build. @throws Error with the answer when it is not one. */
export async function postBuild(
  baseUrl: string,
  owner: { readonly authority: string; readonly account: string },
  { kind, bank, amount }: SdkAction,
): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/tx/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...owner, bank, amount }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${kind}: HTTP ${response.status} ${text}`);
}
