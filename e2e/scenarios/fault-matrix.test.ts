import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKafkaMissing, KAFKA_NEEDS, ROOT, useDatabase } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesFromChain } from '../src/chaos/chain-truth.ts';
import { compareDumps, dumpTables } from '../src/chaos/dump-tables.ts';
import { eventually } from '../src/eventually.ts';
import { AGGREGATOR_CELLS } from '../src/fault-matrix/aggregator-cells.ts';
import { compareProjections } from '../src/fault-matrix/compare-projections.ts';
import { compareReadings, lostStretches } from '../src/fault-matrix/compare-samples.ts';
import { CAN_MOUNT } from '../src/fault-matrix/disk.ts';
import type { FaultCell } from '../src/fault-matrix/fault-cell.ts';
import { type FaultGround, type FaultWorld, openFaultGround, openFaultWorld } from '../src/fault-matrix/fault-world.ts';
import { lostOf } from '../src/fault-matrix/find-accepted.ts';
import { KAFKA_CELLS } from '../src/fault-matrix/kafka-cells.ts';
import { NODE_ANSWER_CELLS } from '../src/fault-matrix/node-answer-cells.ts';
import { NODE_CELLS } from '../src/fault-matrix/node-cells.ts';
import { NODE_LIE_CELLS, OLD_ANSWERS } from '../src/fault-matrix/node-lie-cells.ts';
import { POSTGRES_CELLS } from '../src/fault-matrix/postgres-cells.ts';
import { PUBSUB_CELLS } from '../src/fault-matrix/pubsub-cells.ts';
import { type CellReport, type Outage, runCell } from '../src/fault-matrix/run-cell.ts';
import { projectUndisturbed } from '../src/fault-matrix/undisturbed.ts';
import { standStill } from '../src/stand-still.ts';

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

interface Lane {
  readonly cells: readonly FaultCell[];
  readonly reports: CellReport[];
  readonly outages: Outage[];
  world?: FaultWorld;
}

/** `npm run prove` strikes with them all. */
const STRIKES_ALL = process.env.FAULT_CELLS === 'all';
const lane = (...cells: readonly FaultCell[]): Lane => ({
  cells: cells.filter(({ provenBy }) => STRIKES_ALL || provenBy === undefined),
  reports: [],
  outages: [],
});
/** A cell waits most of its time: each lane strikes a world of its own, beside the other. A third would starve the chain on two cores. */
const LANES: Readonly<Record<string, Lane>> = {
  first: lane(...NODE_ANSWER_CELLS, ...NODE_LIE_CELLS, ...AGGREGATOR_CELLS, ...NODE_CELLS, ...PUBSUB_CELLS),
  second: lane(...KAFKA_CELLS, ...POSTGRES_CELLS),
};

function worldOf(name: string): FaultWorld {
  const world = LANES[name]?.world;
  if (world === undefined) throw new Error(`there is no world of ${name}`);
  return world;
}

/** What each cell looked like, for whoever writes down what an operator sees. */
function save(): void {
  const folder = join(ROOT, '.cache');
  mkdirSync(folder, { recursive: true });
  const reports = Object.values(LANES).flatMap((one) => one.reports);
  writeFileSync(join(folder, 'fault-matrix.json'), JSON.stringify(reports, null, 1));
}

describe.skipIf(isSkipped)(`faults (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const calm = useDatabase();
  let ground: FaultGround;

  beforeAll(async () => {
    ground = await openFaultGround(calm);
  });

  afterAll(async () => {
    await Promise.all(Object.values(LANES).map(({ world }) => world?.stop()));
    await ground?.stop();
  });

  for (const [name, own] of Object.entries(LANES)) {
    describe.concurrent(`in the ${name} lane`, () => {
      beforeAll(async () => {
        own.world = await openFaultWorld(ground);
      });

      for (const cell of own.cells) {
        it.skipIf(cell.needs !== undefined && !CAN_MOUNT && process.env.CI !== 'true')(
          `[fault-matrix] ${cell.name}${cell.needs === undefined ? '' : ` (needs root and mount, for ${cell.needs})`}`,
          { concurrent: false, timeout: 600_000 },
          async () => {
            const report = await runCell(cell, worldOf(name), own.outages);
            own.reports.push(report);
            save();
            expect(report.missing).toEqual([]);
            expect(report.untruths).toEqual([]);
            for (const [service, lines] of Object.entries(report.lines))
              expect(lines.length, `${service} wrote:\n${lines.slice(0, 20).join('\n')}`).toBeLessThanOrEqual(
                MOST_LINES,
              );
          },
        );
      }
    });
  }

  describe('afterwards', () => {
    beforeAll(async () => {
      await Promise.all(Object.keys(LANES).map((name) => worldOf(name).users.stop()));
      await standStill(ground.localnet);
    });

    describe.concurrent.each(Object.keys(LANES))('in the %s lane', (name) => {
      const again = useDatabase();
      const struck = () => ({ connectionString: worldOf(name).databaseUrl });
      const outages = LANES[name]?.outages ?? [];

      it('[fault-tables] the tables equal those of a pipeline that nothing happened to, and what is on the chain', {
        concurrent: false,
        timeout: 300_000,
      }, async () => {
        await eventually(
          async () => {
            const [expected, found] = [await dumpTables(calm), await dumpTables(struck())];
            const ofChain = (dump: typeof found) => new Map([...dump].filter(([table]) => OF_CHAIN.has(table)));
            expect(compareDumps(ofChain(expected), ofChain(found))).toEqual([]);
          },
          90_000,
          1_000,
        );
        await eventually(
          async () => expect(await differencesFromChain(struck(), ground.localnet)).toEqual([]),
          180_000,
          1_000,
        );
      });

      it('[fault-accepted] everything that was accepted is there: plans under their keys, entries, follows', {
        concurrent: false,
        timeout: 300_000,
      }, async () => {
        const { deposits, calls, follows } = worldOf(name).users.accepted;
        expect(Math.min(deposits.length, calls.length, follows.length)).toBeGreaterThan(0);
        await eventually(
          async () => expect(await lostOf(worldOf(name).users.accepted, struck())).toEqual([]),
          180_000,
          500,
        );
      });

      it('[fault-readings] samples of a slot are those that the other pipeline read, and no stretch is missing but where nobody could read', {
        concurrent: false,
        timeout: 300_000,
      }, async () => {
        const believed = outages.filter(({ name }) => name === OLD_ANSWERS);
        // Two pipelines read the same slot by chance: on a slow machine it takes a while until enough slots have been read by both.
        const { different } = await eventually(async () => {
          const compared = await compareReadings(calm, struck(), believed);
          expect(compared.both).toBeGreaterThan(25);
          return compared;
        }, 120_000);
        expect(different.slice(0, 5)).toEqual([]);
        expect(await lostStretches(calm, struck(), outages)).toEqual([]);
      });

      it('[fault-topics] every message in the topics has its row, once: projecting them anew gives the same tables', {
        concurrent: false,
        timeout: 300_000,
      }, async () => {
        await worldOf(name).services.stop('rate-poller');
        await worldOf(name).services.stop('indexer');
        // What it was stopped before.
        await projectUndisturbed(worldOf(name).broker, struck());
        await projectUndisturbed(worldOf(name).broker, again);
        expect(await compareProjections(again, struck())).toEqual([]);
      });

      it('[fault-memory] no service took more memory than its alarm allows', {
        concurrent: false,
        timeout: 300_000,
      }, () => {
        for (const [service, bytes] of Object.entries(worldOf(name).users.peakBytes)) {
          expect(bytes, service).toBeGreaterThan(0);
          expect(bytes, service).toBeLessThan(MEMORY_ALARM_BYTES);
        }
      });
    });
  });
});
