import { bytes, u8, u32, u64 } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** When klend last refreshed an account; `stale` is set by whatever moved its funds since. The timestamp exists from 1.25 on, 0 before. */
export const lastUpdate = struct({ slot: u64, stale: u8, priceStatus: u8, padding: bytes(2), timestamp: u32 });
