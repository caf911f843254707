import { openLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import { argumentOf } from './measure/config.ts';

/**
 * The local chain with `--accounts` lending accounts, as a process of its own: what it costs is not the service's. Prints where the node,
 * both aggregators are, and the program they swap through. `--no-bundles`: simulates one transaction at a time, as most nodes do. Ends with its parent.
 */
const localnet = await openLocalnet({
  genesis: { kind: 'demo', crowd: argumentOf('--accounts', 100_000) },
  transactionsPerSecond: 2,
});
await localnet.start();
if (process.argv.includes('--no-bundles')) {
  localnet.setFault({ kind: 'error', code: -32_601, message: 'Method not found', methods: ['simulateBundle'] });
}
const { jupiter, dflow } = localnet.aggregatorUrls ?? { jupiter: '', dflow: '' };
process.stdout.write(`${localnet.rpcUrl} ${jupiter} ${dflow} ${SWAP_PROGRAM}\n`);
process.once('SIGTERM', () => void localnet.stop());
