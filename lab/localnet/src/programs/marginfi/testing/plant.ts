import { bankLayout, marginfiAccountLayout, marginfiGroupLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { Source, State, Touch } from './touch-audit.ts';

const LAYOUTS = { bank: bankLayout, group: marginfiGroupLayout, account: marginfiAccountLayout } as const;
export type Planted = keyof typeof LAYOUTS;

type Leaf = number | bigint | string;
export type Change = (value: Leaf) => Leaf;

/** A field of an account. */
export interface Spot {
  readonly address: Address;
  readonly path: string;
}

/** The fields of an account and their values, by path. */
export function leavesOf(kind: Planted, data: Uint8Array): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const walk = (value: unknown, path: string): void => {
    if (value instanceof Uint8Array) return;
    if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) walk(part, path === '' ? name : `${path}.${name}`);
    } else leaves.set(path, value as Leaf);
  };
  walk(LAYOUTS[kind].decode(Uint8Array.from(data)), '');
  return leaves;
}

export function kindOf(data: Uint8Array): Planted | null {
  const found = Object.entries(LAYOUTS).find(
    ([, { discriminator }]) => Buffer.compare(data.subarray(0, discriminator.length), discriminator) === 0,
  );
  return (found?.[0] as Planted | undefined) ?? null;
}

/** Where a field gets another value: what does not change in a touch has it before and after. */
export type Side = 'both' | 'before' | 'after';

/** A touch in which a field of an account has another value, while all else stays as the program left it. */
export function plant(touch: Touch, { address, path }: Spot, change: Change, side: Side = 'both'): Touch {
  const planted = (source: Source): Source => {
    const state = source.get(address);
    if (state === undefined) return source;
    const changed = { ...state, data: replant(state, path, change) };
    return { get: (other) => (other === address ? changed : source.get(other)) };
  };
  return {
    ...touch,
    before: side === 'after' ? touch.before : planted(touch.before),
    after: side === 'before' ? touch.after : planted(touch.after),
  };
}

function replant({ data }: State, path: string, change: Change): Uint8Array {
  const kind = kindOf(data);
  if (kind === null) throw new TypeError('Only banks, accounts and the group are planted in');
  const layout = LAYOUTS[kind];
  const value = layout.decode(Uint8Array.from(data));
  const names = path.split('.');
  const last = names.pop() as string;
  const parent = names.reduce<Record<string, unknown>>(
    (part, name) => part[name] as Record<string, unknown>,
    value as unknown as Record<string, unknown>,
  );
  parent[last] = change(parent[last] as Leaf);
  const encoded = (layout.encode as (value: unknown) => Uint8Array)(value);
  const planted = data.slice();
  planted.set(encoded.slice(0, data.length));
  return planted;
}
