import { type Address, address } from '@solana/kit';

/** Owner of price updates. */
export const PYTH_RECEIVER_PROGRAM: Address = address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ');
/** Derives the feed addresses that sponsors keep fresh. */
export const PYTH_PUSH_ORACLE_PROGRAM: Address = address('pythWSnswVUd12oZpeFP8e9CVaEqJg25g1Vtc2biRsT');
