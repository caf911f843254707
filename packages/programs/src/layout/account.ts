import { type Codec, combineCodec, createDecoder, getConstantCodec, getHiddenPrefixCodec } from '@solana/kit';
import { anchorDiscriminator } from './anchor-discriminator.ts';
import type { AnyType, FixedType, Part } from './field-types.ts';
import { type Fields, type Struct, struct } from './struct.ts';

/** The codec of an account with what it begins with, which is hidden from its values. */
export type AccountLayout<F extends Fields> = Struct<F> & {
  /** As the IDL of its program names it. */
  readonly name: string;
  readonly discriminator: Uint8Array;
  readonly parts: Readonly<Record<string, Part>>;
};

/**
 * An account of a program, by its IDL's name and fields.
 * @param discriminator where it is not Anchor's own of that name.
 */
export function account<const F extends Fields>(
  name: string,
  fields: F,
  discriminator: Uint8Array = anchorDiscriminator('account', name),
): AccountLayout<F> {
  const body: AnyType = struct(fields);
  const codec = getHiddenPrefixCodec(body, [getConstantCodec(discriminator)]) as AnyType;
  const size = discriminator.length;
  const decoder = createDecoder({
    ...codec,
    read(data, offset) {
      for (let nth = 0; nth < size; nth += 1) {
        // Its error says what is wrong.
        if (data[offset + nth] !== discriminator[nth]) return codec.read(data, offset);
      }
      return body.read(data, offset + size);
    },
  });
  const whole = combineCodec(codec as Codec<unknown>, decoder as never);
  const { parts = {} } = body as Partial<FixedType<unknown>>;
  const shifted = Object.entries(parts).map(([field, part]) => [field, { ...part, offset: size + part.offset }]);
  return { ...whole, name, discriminator, parts: Object.fromEntries(shifted) } as unknown as AccountLayout<F>;
}
