import type {
  WireAccountsReply,
  WireActivityReply,
  WireHealthReply,
  WireLiveHealth,
  WireStatus,
  WireStrategiesReply,
  WireStrategy,
} from '@lending/dashboard/wire';
import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { Activity, ActivityReply } from '#records/activity-fields.ts';
import type { HealthReply } from '#records/health-fields.ts';
import type { LiveRecords } from '#records/live-fields.ts';
import type { Account, PositionsReply } from '#records/position-fields.ts';
import type { StrategyRecord } from '#records/strategy-fields.ts';
import type { statusSchema } from '#tools/get-status.ts';
import type { getStrategiesOutput } from '#tools/get-strategies.ts';

/** The pages ask without `fields` and in detail, so that rows come whole: `Listed…` is what other questions may be answered with. */
type Whole<Reply, Rows extends object> = Omit<Reply, keyof Rows> & Rows;

describe('what the pages read of answers', () => {
  it('is what strategies have', () => {
    expectTypeOf<StrategyRecord>().toExtend<WireStrategy>();
    expectTypeOf<
      Whole<z.infer<typeof getStrategiesOutput>, { strategies: StrategyRecord[] }>
    >().toExtend<WireStrategiesReply>();
  });

  it('is what accounts, their health and their activity have', () => {
    type Detailed = Omit<Account, 'health'> & { health: LiveRecords['health']['health'] };
    expectTypeOf<Whole<PositionsReply, { accounts: Detailed[] }>>().toExtend<WireAccountsReply>();
    expectTypeOf<HealthReply>().toExtend<WireHealthReply>();
    expectTypeOf<Whole<ActivityReply, { activity?: Activity[] | undefined }>>().toExtend<WireActivityReply>();
    expectTypeOf<LiveRecords['health']>().toExtend<WireLiveHealth>();
  });

  it('is what the status has', () => {
    expectTypeOf<z.infer<typeof statusSchema>>().toExtend<WireStatus>();
  });
});
