import type { AnyType, FixedType, Part } from './field-types.ts';

/**
 * Where a field begins in a layout and what its type is, by its path: `config.oracleKeys.2`.
 * @throws TypeError where the layout has no such field, or not at a fixed place
 */
export function placeOf(layout: AnyType, path: string): Part {
  const start: Part = { offset: 0, type: layout as FixedType<unknown> };
  return path.split('.').reduce((whole, name) => {
    const part = whole.type.parts?.[name];
    if (part === undefined) throw new TypeError(`The layout has no ${path}`);
    return { offset: whole.offset + part.offset, type: part.type };
  }, start);
}
