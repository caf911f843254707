import type { Field } from '#programs/anchor/field.ts';

export function u128(offset: number): Field<bigint> {
  return {
    read: (view, base) => (view.getBigUint64(base + offset + 8, true) << 64n) | view.getBigUint64(base + offset, true),
    write: (view, base, value) => {
      view.setBigUint64(base + offset, BigInt.asUintN(64, value), true);
      view.setBigUint64(base + offset + 8, BigInt.asUintN(64, value >> 64n), true);
    },
  };
}
