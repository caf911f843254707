import { anyAddress } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { createSilentChanges } from './silent-changes.ts';

const [A, B] = [anyAddress(1), anyAddress(2)];

describe('createSilentChanges', () => {
  it('opens slots that are passed without a transaction, one range an address', () => {
    const silent = createSilentChanges();
    for (const slot of [12n, 10n]) silent.changed(A, slot);
    silent.changed(B, 11n);
    silent.changed(A, 14n);
    expect([silent.take(0), silent.held()]).toEqual([[], null]);
    silent.passed(13n);
    expect(silent.held()).toBe(9n);
    expect(silent.take(0)).toEqual([
      { address: A, fromSlot: 9n, toSlot: 12n },
      { address: B, fromSlot: 10n, toSlot: 11n },
    ]);
  });

  it('leaves alone slots of which a transaction was told, before or after the change', () => {
    const silent = createSilentChanges();
    silent.told(10n);
    silent.changed(A, 10n);
    silent.changed(A, 11n);
    silent.told(11n);
    silent.passed(20n);
    expect([silent.take(0), silent.held()]).toEqual([[], null]);
  });

  it('asks for what is open together, and not all the time', () => {
    const silent = createSilentChanges(1_000);
    const change = (slot: bigint) => {
      silent.changed(A, slot);
      silent.passed(slot + 1n);
    };
    change(10n);
    expect(silent.take(0)).toHaveLength(1);
    change(11n);
    change(12n);
    expect(silent.take(999)).toEqual([]);
    expect(silent.take(1_000)).toEqual([{ address: A, fromSlot: 10n, toSlot: 12n }]);
  });

  it('holds what is asked for until it is settled, and does not ask for the same slot again', () => {
    const silent = createSilentChanges(0);
    silent.changed(A, 10n);
    silent.passed(11n);
    const taken = silent.take(0);
    expect(silent.held()).toBe(9n);
    silent.settle(taken);
    silent.changed(B, 10n);
    silent.passed(12n);
    expect([silent.take(1), silent.held()]).toEqual([[], null]);
  });

  it('remembers no more slots than it has to', () => {
    const silent = createSilentChanges(0);
    for (let slot = 0n; slot <= 600n; slot += 1n) silent.told(slot);
    silent.changed(A, 0n);
    silent.changed(A, 600n);
    silent.passed(700n);
    expect(silent.take(0)).toEqual([{ address: A, fromSlot: -1n, toSlot: 0n }]);
  });
});
