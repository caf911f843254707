import type { Chain } from '@lending/chain';

/** Height of the newest confirmed block: a transaction whose blockhash is good up to less can no longer land. */
export async function fetchBlockHeight(chain: Pick<Chain, 'rpc'>, signal?: AbortSignal): Promise<bigint> {
  const height = await chain.rpc
    .getBlockHeight({ commitment: 'confirmed' })
    .send(signal === undefined ? {} : { abortSignal: signal });
  return BigInt(height);
}
