import { openLocalnet } from '@lending/localnet';
import { argumentOf } from './measure/argument.ts';

/** The local chain with `--accounts` lending accounts, as a process of its own: what it costs is not the service's. Ends with its parent. */
const localnet = await openLocalnet({
  genesis: { kind: 'demo', crowd: argumentOf('--accounts', 100_000) },
  transactionsPerSecond: 2,
});
await localnet.start();
process.stdout.write(`${localnet.rpcUrl}\n`);
process.once('SIGTERM', () => void localnet.stop());
