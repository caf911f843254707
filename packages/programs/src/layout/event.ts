import type { Codec } from '@solana/kit';
import { anchorDiscriminator } from './anchor-discriminator.ts';
import type { ValueOf } from './field-types.ts';
import { type Fields, type Struct, struct } from './struct.ts';

/** An Anchor event as it stands in a `Program data:` log line: discriminator, then its fields. */
export interface EventLayout<T = unknown> {
  /** The IDL's name. */
  readonly name: string;
  readonly discriminator: Uint8Array;
  readonly fields: Codec<T>;
}

/** An event of a program, by its IDL's name. */
export function event<const F extends Fields>(name: string, fields: F): EventLayout<ValueOf<Struct<F>>> {
  return { name, discriminator: anchorDiscriminator('event', name), fields: struct(fields) as never };
}

/** Whether the bytes of a log line are of this layout. */
export function isEventOf(layout: Pick<EventLayout, 'discriminator'>, bytes: ArrayLike<number>): boolean {
  return layout.discriminator.every((byte, index) => bytes[index] === byte);
}

/** The bytes of a `Program data:` line. */
export function encodeEvent<T>(layout: EventLayout<T>, value: T): Uint8Array {
  return Uint8Array.from([...layout.discriminator, ...layout.fields.encode(value)]);
}

/**
 * Reads the bytes of a `Program data:` line. Bytes after the last known field are left alone: a newer program may have added some.
 * @throws SolanaError when the bytes end before the fields do.
 */
export function decodeEvent<T>(layout: EventLayout<T>, bytes: Uint8Array): T {
  return layout.fields.decode(bytes, layout.discriminator.length);
}
