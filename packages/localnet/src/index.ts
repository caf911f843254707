export type { AccountState, Engine } from '#engine/engine.ts';
export type { ClockSource } from '#ledger/clock.ts';
export type { Ledger } from '#ledger/ledger.ts';
export type { LedgerEvent, LedgerListener } from '#ledger/ledger-event.ts';
export type { Fault } from '#rpc/fault.ts';
export { createLocalnet, type Localnet, type LocalnetOptions } from './localnet.ts';
