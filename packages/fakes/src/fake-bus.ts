import type { Bus } from '@lending/bus';
import { LendingError } from '@lending/errors';
import type { Message } from '@lending/events';

export interface FakeBus {
  readonly bus: Bus;
  readonly published: Message[];
  isDown: boolean;
  refusals: number;
}

/** A log in memory that can be down; consuming is not part of it. */
export function createFakeBus(): FakeBus {
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const fake: FakeBus = {
    published: [],
    isDown: false,
    refusals: 0,
    bus: {
      async publish(messages) {
        if (fake.isDown) {
          fake.refusals += 1;
          throw new LendingError('BUS__UNAVAILABLE');
        }
        fake.published.push(...messages);
      },
      consume: unused,
      readExtents: unused,
      countDead: unused,
      bury: unused,
      close: unused,
    },
  };
  return fake;
}
