import { address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBundleService } from '../src/guide/bundle-service.ts';
import { type GuideBlock, readGuideBlocks } from '../src/guide/guide-blocks.ts';
import { type GuideWorld, openGuideWorld } from '../src/guide/guide-world.ts';
import { runBlock } from '../src/guide/run-block.ts';

const blocks = readGuideBlocks();
const byPage = [...Map.groupBy(blocks, ({ page }) => page)];

let world: GuideWorld;
beforeAll(async () => {
  world = await openGuideWorld();
});
afterAll(async () => {
  await world?.stop();
});

describe('[guide-examples] the examples of the guide, against npm start', () => {
  it('are many, on most pages', () => {
    expect(blocks.length).toBeGreaterThan(20);
    expect(byPage.length).toBeGreaterThan(4);
  });

  describe.each(byPage)('%s', (_page, of) => {
    const examples = of.filter(({ info }) => info !== '');
    it.each(examples.map((block) => [titleOf(block), block] as const))(
      '%s',
      async (_title, block) => {
        expect((await runBlock(block, world)).length).toBeGreaterThan(0);
      },
      90_000,
    );
  });
});

describe('[guide-examples] the script of the page about signing', () => {
  it('sends as a bundle what is one, too', async () => {
    const script = blocks.find(({ page, info }) => page === 'signing' && info === 'js');
    if (script === undefined) throw new Error('the page shows no script');
    const friend = (await generateKeyPairSigner()).address;
    const service = await openBundleService(world.rpcUrl, address(world.values.WALLET ?? ''), friend);
    try {
      expect(await runBlock(script, { ...world, url: service.url })).toContain('asPromised: true');
    } finally {
      await service.stop();
    }
    expect((await createSolanaRpc(world.rpcUrl).getBalance(friend).send()).value).toBe(5_000_000n);
  });
});

function titleOf({ line, info, text }: GuideBlock): string {
  return `line ${line}, ${info}: ${text.replaceAll(/\s+/g, ' ').slice(0, 70)}`;
}
