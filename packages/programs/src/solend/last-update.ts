import { u8, u64 } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

export const lastUpdate = struct({ slot: u64, stale: u8 });
