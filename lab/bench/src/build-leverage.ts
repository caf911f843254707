import { LEVERAGES, openBorrower, postBuild } from './builds/borrower.ts';
import { measureBuilds } from './builds/measure-builds.ts';
import { listP0Banks, openCountedWorld, untilKnown } from './builds/open-world.ts';
import { argumentOf } from './measure/config.ts';

/**
 * A loop and a close, quotes included, built by the service over REST against one node and doubles of the aggregators, all behind hosts that
 * count requests and add network: both aggregators are asked, the swap is sized for what is promised, checked, and simulated. The official
 * SDK is not beside it: the flash loans that it builds end as the program ended them before 0.1.10. Prints a JSON line. `--rounds 30` for a
 * quick look.
 */
const PATHS = { loop: '/v1/tx/loop', close_position: '/v1/tx/close-position' } as const;

const { world, node } = await openCountedWorld();
try {
  const { baseUrl } = world;
  const banks = await listP0Banks(world.rpcUrl);
  const { sdk, account } = await openBorrower(node.url, banks);
  const owner = { authority: sdk.wallet, account };
  await untilKnown(`${baseUrl}/v1/health/${account}`);
  const tasks = LEVERAGES.map((action) => ({
    name: action.kind,
    ours: () => postBuild(baseUrl, PATHS[action.kind], { ...owner, ...bodyOf(action) }),
  }));
  await measureBuilds(tasks, {
    bench: 'building leverage',
    node,
    apiPid: world.api.pid,
    rounds: argumentOf('--rounds', 100),
    latenciesMs: [0, 20],
    goal: { name: 'leverage', roundTrips: 3, ownMs: 30 },
    notes: {},
  });
} finally {
  await world.stop();
  await node.stop();
}

function bodyOf({ depositBank, borrowBank, amount, ...rest }: (typeof LEVERAGES)[number]): Record<string, unknown> {
  const leverage = rest.kind === 'loop' ? { leverage: rest.leverage } : {};
  return { deposit_bank: depositBank, borrow_bank: borrowBank, amount, ...leverage };
}
