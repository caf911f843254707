import { bool, int32, message, optional, plain, string, uint64 } from './protobuf.ts';

/** Requests and answers of the calls beside `Subscribe`. */
export const emptyRequest = message({});
export const commitmentRequest = message({ commitment: optional(1, int32) });
export const countMessage = message({ count: plain(1, int32, 0) });
export const versionResponse = message({ version: plain(1, string, '') });
export const slotResponse = message({ slot: plain(1, uint64, 0n) });
export const blockHeightResponse = message({ blockHeight: plain(1, uint64, 0n) });
export const latestBlockhashResponse = message({
  slot: plain(1, uint64, 0n),
  blockhash: plain(2, string, ''),
  lastValidBlockHeight: plain(3, uint64, 0n),
});
export const blockhashValidRequest = message({ blockhash: plain(1, string, ''), commitment: optional(2, int32) });
export const blockhashValidResponse = message({ slot: plain(1, uint64, 0n), valid: plain(2, bool, false) });
export const replayInfoResponse = message({ firstAvailable: optional(1, uint64) });
