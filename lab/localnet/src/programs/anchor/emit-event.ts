import { type EventLayout, encodeEvent } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';

/** Writes an event the way Anchor's `emit!` does: one log line of base64. */
export function emitEvent<T>(context: InvokeContext, layout: EventLayout<T>, value: T): void {
  emitBytes(context, encodeEvent(layout, value));
}

/** The same for an event that is bytes already. */
export function emitBytes(context: InvokeContext, bytes: Uint8Array): void {
  context.logRuntime(`Program data: ${Buffer.from(bytes).toString('base64')}`);
}
