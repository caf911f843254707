import type { LiveKind, LiveRecords } from '#records/live-fields.ts';

/** What one stream hears of one kind. Holds the newest of each thing, or how to find it: a slow reader costs no more than a quick one. */
export interface StreamPart<K extends LiveKind, P> {
  /** The next thing to tell; null where all was told. */
  next(): LiveRecords[K] | null;
  /** How far all was told. */
  position(): P;
  /** Hears nothing any more. */
  close(): void;
}

/** What a part tells its stream. */
export interface PartHooks {
  /** There is something to tell. */
  readonly wake: () => void;
  /** Something newer took the place of what was not told yet. */
  readonly conflated: () => void;
}
