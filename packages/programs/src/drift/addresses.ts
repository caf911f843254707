import { type Address, address } from '@solana/kit';

/** Drift on mainnet. */
export const DRIFT_PROGRAM: Address = address('dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH');
