import { useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS } from '@lending/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import {
  compareProjections,
  compareReadings,
  lostOf,
  lostStretches,
  projectUndisturbed,
} from '../src/faults/afterwards.ts';
import { CAN_MOUNT } from '../src/faults/disk.ts';
import { type FaultGround, type FaultWorld, openFaultGround, openFaultWorld } from '../src/faults/fault-world.ts';
import { FAULTS } from '../src/faults/faults.ts';
import { OLD_ANSWERS } from '../src/faults/node-faults.ts';
import { type Outage, runFault } from '../src/faults/run-fault.ts';
import { standStill } from '../src/stand-still.ts';
import { untilEqualToChain } from '../src/tables/chain-truth.ts';
import { compareDumps, dumpTables } from '../src/tables/dump-tables.ts';

/** Lines that one service may write in one cell: each part of it says its own two. */
const MOST_LINES = 60;
/** `MemoryHigh` of infra/prometheus/rules.yml. */
const MEMORY_ALARM_BYTES = 480e6;
/** What an indexer writes, whichever log it came through. Limits change with every sample of a reserve, which is each poller's own. */
const OF_CHAIN: ReadonlySet<string> = new Set([
  'account',
  'account_order',
  'activity',
  'activity_leg',
  'balance',
  'bank',
  'finality of activity',
  'group_change',
  'rebalance_order',
  'tags',
]);
const isSkipped = await isKafkaMissing();

/** `npm run prove` strikes with them all. */
const STRIKES_ALL = process.env.FAULT_CELLS === 'all';
/** Each strikes a world of its own, beside the other. */
const LANES = Object.entries(FAULTS).map(([name, faults]) => ({
  name,
  faults: faults.filter(({ provenBy }) => STRIKES_ALL || provenBy === undefined),
  outages: [] as Outage[],
  world: undefined as unknown as FaultWorld,
}));
/** In a lane one comes after the other, whatever the lanes do. */
const ONE_BY_ONE = { concurrent: false, timeout: 600_000 };

describe.skipIf(isSkipped)(`faults (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const calm = useDatabase();
  const opened = useOpened();
  let ground: FaultGround;

  beforeAll(async () => {
    ground = await openFaultGround(calm, opened);
  });

  for (const lane of LANES) {
    describe.concurrent(`in the ${lane.name} lane`, () => {
      beforeAll(async () => {
        lane.world = await openFaultWorld(ground, opened);
      });

      for (const fault of lane.faults) {
        it.skipIf(fault.needs !== undefined && !CAN_MOUNT && process.env.CI !== 'true')(
          `[fault-matrix] ${fault.name}${fault.needs === undefined ? '' : ` (needs root and mount, for ${fault.needs})`}`,
          ONE_BY_ONE,
          async () => {
            const { missing, untruths, lines: written } = await runFault(fault, lane.world, lane.outages);
            expect(missing).toEqual([]);
            expect(untruths).toEqual([]);
            for (const [service, lines] of Object.entries(written)) {
              const said = `${service} wrote:\n${lines.slice(0, 20).join('\n')}`;
              expect(lines.length, said).toBeLessThanOrEqual(MOST_LINES);
            }
          },
        );
      }
    });
  }

  describe('afterwards', () => {
    beforeAll(async () => {
      await Promise.all(LANES.map(({ world }) => world.users.stop()));
      await standStill(ground.localnet);
    });

    describe.concurrent.each(LANES)('in the $name lane', (lane) => {
      const again = useDatabase();
      const struck = () => lane.world.postgres;

      it(
        '[fault-tables] the tables equal those of a pipeline that nothing happened to, and what is on the chain',
        ONE_BY_ONE,
        async () => {
          await eventually(
            async () => {
              const [expected, found] = [await dumpTables(calm), await dumpTables(struck())];
              const ofChain = (dump: typeof found) => new Map([...dump].filter(([table]) => OF_CHAIN.has(table)));
              expect(compareDumps(ofChain(expected), ofChain(found))).toEqual([]);
            },
            90_000,
            1_000,
          );
          await untilEqualToChain(struck(), ground.localnet);
        },
      );

      it(
        '[fault-accepted] everything that was accepted is there: plans under their keys, entries, follows',
        ONE_BY_ONE,
        async () => {
          const { accepted } = lane.world.users;
          expect(Math.min(...Object.values(accepted).map(({ length }) => length))).toBeGreaterThan(0);
          await eventually(async () => expect(await lostOf(accepted, struck())).toEqual([]), 180_000, 500);
        },
      );

      it(
        '[fault-readings] samples of a slot are those that the other pipeline read, and no stretch is missing but where nobody could read',
        ONE_BY_ONE,
        async () => {
          const believed = lane.outages.filter(({ name }) => name === OLD_ANSWERS.name);
          // Two pipelines read the same slot by chance: on a slow machine it takes a while until enough slots have been read by both.
          const { different } = await eventually(async () => {
            const compared = await compareReadings(calm, struck(), believed);
            expect(compared.both).toBeGreaterThan(25);
            return compared;
          }, 120_000);
          expect(different.slice(0, 5)).toEqual([]);
          expect(await lostStretches(calm, struck(), lane.outages)).toEqual([]);
        },
      );

      it(
        '[fault-topics] every message in the topics has its row, once: projecting them anew gives the same tables',
        ONE_BY_ONE,
        async () => {
          const { cluster, broker } = lane.world;
          await cluster.stopOne('rate-poller');
          await cluster.stopOne('indexer');
          // What it was stopped before.
          await projectUndisturbed(broker, struck());
          await projectUndisturbed(broker, again);
          expect(await compareProjections(again, struck())).toEqual([]);
        },
      );

      it('[fault-memory] no service took more memory than its alarm allows', ONE_BY_ONE, () => {
        for (const [service, bytes] of Object.entries(lane.world.users.peakBytes)) {
          expect(bytes, service).toBeGreaterThan(0);
          expect(bytes, service).toBeLessThan(MEMORY_ALARM_BYTES);
        }
      });
    });
  });
});
