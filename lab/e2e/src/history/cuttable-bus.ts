import type { Bus } from '@lending/bus';
import { LendingError } from '@lending/errors';

/** A log that one publisher can lose. */
export interface CuttableBus extends Bus {
  isCut: boolean;
}

export function createCuttableBus(bus: Bus): CuttableBus {
  return {
    isCut: false,
    async publish(messages) {
      if (this.isCut) throw new LendingError('BUS__UNAVAILABLE', { message: 'the log is cut off from this publisher' });
      await bus.publish(messages);
    },
    consume: (options) => bus.consume(options),
    readExtents: (topics) => bus.readExtents(topics),
    countDead: (topics) => bus.countDead(topics),
    bury: (letter) => bus.bury(letter),
    close: () => bus.close(),
  };
}
