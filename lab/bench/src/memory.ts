import { openBorrower } from './builds/borrower.ts';
import { listP0Banks, openWorld, untilKnown } from './builds/open-world.ts';
import { useService } from './load/open-banks.ts';
import { simulateLists } from './load/simulate-lists.ts';
import { argumentOf } from './measure/config.ts';
import { anonymousMb, highestResidentMb, residentMb } from './measure/process.ts';
import { tableBytes } from './measure/table-bytes.ts';
import { figure, once, printResult } from './report/result.ts';

/**
 * Resident memory of the one-process shape and of an api of its own, with 100,000 lending accounts indexed, at the end of minutes of use and
 * the highest it ever was; and of that api with two workers that simulate. Postgres and the chain are other processes. Prints a JSON line.
 * `--accounts 2000 --seconds 10` for a quick look.
 */
const GOAL = { embeddedMb: 450, apiMb: 200, apiWithWorkersMb: 320 };
const ACCOUNTS = argumentOf('--accounts', 100_000);
/** Of reads, and again of reads and builds. */
const SECONDS = argumentOf('--seconds', 45);
/** As many as there are workers by default. */
const WORKERS = 2;

const world = await openWorld({ accounts: ACCOUNTS, hasBundles: false });
try {
  const borrower = await openBorrower(world.rpcUrl, await listP0Banks(world.rpcUrl));
  await untilKnown(`${world.baseUrl}/v1/health/${borrower.account}`);
  const indexing = memoryOf(world.service.pid);
  const started = memoryOf(world.api.pid);
  const reading = await useService(world, borrower, { seconds: SECONDS, isBuilding: false });
  const api = memoryOf(world.api.pid);
  const building = await useService(world, borrower, { seconds: SECONDS, isBuilding: true });
  const apiBuilding = memoryOf(world.api.pid);
  const simulated = await simulateLists(world, borrower.sdk.wallet, WORKERS, Math.ceil(SECONDS / 3));
  const withWorkers = memoryOf(world.api.pid);
  const embedded = memoryOf(world.service.pid);
  const bytesOfAccount = (await tableBytes(world.connectionString, ['account', 'balance'])) / world.indexed;
  const judged = (what: string, mb: number, most: number) =>
    figure({
      goal: 'memory',
      what,
      unit: 'MB',
      ours: once(mb),
      bound: { of: 'ours', is: 'atMost', value: most },
    });
  const indexed = `${world.indexed} accounts`;
  printResult(
    'memory',
    [
      judged(`embedded process, ${indexed}: highest`, embedded.highestMb, GOAL.embeddedMb),
      judged(`embedded process, ${indexed}: at the end`, embedded.mb, GOAL.embeddedMb),
      judged(`one api after reads, ${indexed}: highest`, api.highestMb, GOAL.apiMb),
      judged(`one api after reads, ${indexed}: at the end`, api.mb, GOAL.apiMb),
      judged(`one api after reads and builds, ${indexed}: highest`, apiBuilding.highestMb, GOAL.apiMb),
      judged(`one api after reads and builds, ${indexed}: at the end`, apiBuilding.mb, GOAL.apiMb),
      judged(`one api with ${WORKERS} simulation workers: highest`, withWorkers.highestMb, GOAL.apiWithWorkersMb),
      judged(`one api with ${WORKERS} simulation workers: at the end`, withWorkers.mb, GOAL.apiWithWorkersMb),
      figure({
        goal: null,
        what: 'an account with its balances in the tables, indexes included',
        unit: 'bytes',
        ours: once(bytesOfAccount),
      }),
    ],
    {
      accounts: world.indexed,
      seconds: SECONDS,
      memory: { indexing, embedded, started, api, apiBuilding, withWorkers },
      usage: { reading, building, simulated },
    },
  );
} finally {
  await world.stop();
}

function memoryOf(pid: number | undefined) {
  return { mb: residentMb(pid), highestMb: highestResidentMb(pid), anonymousMb: anonymousMb(pid) };
}
