import type { Slot } from '@solana/kit';
import { type Connection, type ConnectionOptions, keepConnected } from './keep-connected.ts';
import type { ProgramEvent } from './program-source.ts';
import type { WatchQueue } from './watch-queue.ts';

/** One life of a source's connection: from the moment it tells everything to its loss. */
export interface SourceConnection extends Connection {
  /** Everything of later slots arrives by itself; null: it goes on where the one before it ended, and nothing was missed. */
  readonly sinceSlot: Slot | null;
  /** The newest root of whom it is connected to, when it came to stand. */
  readonly sinceRoot: Slot;
  /** What it tells; ends with the connection, after everything that came before. */
  readonly events: Pick<WatchQueue<ProgramEvent>, 'next'>;
  /** The newest root it has told: everything up to it is among the events. */
  getRoot(): Slot;
}

/** Keeps a connection until the signal aborts, and says with each what may have been missed before it. */
export async function* followConnections(
  connect: (signal: AbortSignal) => Promise<SourceConnection>,
  options: ConnectionOptions,
): AsyncGenerator<ProgramEvent, void, undefined> {
  let toldRoot: Slot = 0n;
  for await (const connection of keepConnected(connect, options)) {
    const { sinceSlot } = connection;
    // Whoever is connected now may be behind the one before: then its own root is what both have told up to.
    const fromSlot = older(toldRoot, connection.sinceRoot);
    if (sinceSlot !== null) yield { kind: 'gap', fromSlot: older(fromSlot, sinceSlot), toSlot: sinceSlot };
    for (let event = await connection.events.next(); event; event = await connection.events.next()) yield event;
    toldRoot = connection.getRoot();
  }
}

function older(one: Slot, other: Slot): Slot {
  return one < other ? one : other;
}
