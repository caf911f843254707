import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GuideBlock, readGuideBlocks } from '../src/guide/guide-blocks.ts';
import { type GuideWorld, openGuideWorld } from '../src/guide/guide-world.ts';
import { runBlock } from '../src/guide/run-block.ts';

const blocks = readGuideBlocks();
const byPage = [...Map.groupBy(blocks, ({ page }) => page)];

let world: GuideWorld;
beforeAll(async () => {
  world = await openGuideWorld();
}, 120_000);
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

function titleOf({ line, info, text }: GuideBlock): string {
  return `line ${line}, ${info}: ${text.replaceAll(/\s+/g, ' ').slice(0, 70)}`;
}
