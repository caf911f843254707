import { ACTIONS, openBorrower, postBuild } from './builds/borrower.ts';
import { measureBuilds } from './builds/measure-builds.ts';
import { listP0Banks, openCountedWorld, untilKnown, wavesOf } from './builds/open-world.ts';
import { argumentOf } from './measure/config.ts';

/**
 * Deposit, withdraw, borrow and repay, built by the service over REST and by the official SDK, in turns, against one node: the local chain
 * behind a node that counts requests and adds network. Prints a JSON line. `--rounds 30` for a quick look.
 */
const { world, node } = await openCountedWorld();
try {
  const { baseUrl } = world;
  await node.take();
  const banks = await listP0Banks(world.rpcUrl);
  const { sdk, account } = await openBorrower(node.url, banks);
  const opening = wavesOf(await node.take());
  const owner = { authority: sdk.wallet, account };
  await untilKnown(`${baseUrl}/v1/health/${account}`);
  const tasks = ACTIONS.map((action) => ({
    name: action.kind,
    ours: () => postBuild(baseUrl, `/v1/tx/${action.kind}`, { ...owner, bank: action.bank, amount: action.amount }),
    bySdk: () => sdk.buildBarely(account, action),
  }));
  await measureBuilds(tasks, {
    bench: 'building an action',
    node,
    apiPid: world.api.pid,
    rounds: argumentOf('--rounds', 150),
    latenciesMs: [0, 20],
    goal: { name: 'actions', roundTrips: 2, ownMs: 10 },
    notes: { sdkOpening: { waves: opening.length, note: 'its client, and the market it is measured in' } },
  });
} finally {
  await world.stop();
  await node.stop();
}
