import type { Engine } from '@lending/localnet';

/**
 * An engine for which time stands still between a simulation and a landing: every transaction runs as of `slotOf()`, the slot a simulation
 * ran in, though it lands in the one after. What accrues by the slot at a venue is then the same for both, and a promise can be held to
 * the base unit. The ledger goes on counting its own slots.
 */
export function createStillEngine(engine: Engine, slotOf: () => bigint | null): Engine {
  return {
    execute(wire, accounts, context, options) {
      return engine.execute(wire, accounts, { ...context, slot: slotOf() ?? context.slot }, options);
    },
  };
}
