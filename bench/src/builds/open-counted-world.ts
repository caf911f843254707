import { type CountingNode, openCountingNode } from './open-counting-node.ts';
import { openWorld, type World } from './open-world.ts';

/** A world without a crowd whose api asks hosts that count: what they are asked is what builds ask, for the indexing service asks the chain itself. */
export async function openCountedWorld(): Promise<{ readonly world: World; readonly node: CountingNode }> {
  const opened: CountingNode[] = [];
  const world = await openWorld({ accounts: 0 }, async (hosts) => {
    const node = await openCountingNode(hosts.rpcUrl, hosts.jupiterUrl, hosts.dflowUrl);
    opened.push(node);
    const [rpcUrl = '', jupiterUrl = '', dflowUrl = ''] = node.urls;
    return { rpcUrl, jupiterUrl, dflowUrl };
  });
  const [node] = opened;
  if (node === undefined) throw new TypeError('The world asked for no node');
  return { world, node };
}
