import { account } from '#layout/account.ts';
import { type ArgsOf, array, bytes, i64, i80f48, pubkey, u8, u16, u32, type ValueOf } from '#layout/field-types.ts';

/** Variant names of `trigger` in the order of their numbers. */
export const ORDER_TRIGGER_TYPES = ['StopLoss', 'TakeProfit', 'Both'] as const;

/**
 * A standing order over two balances of an account, found by their tags. `maxSlippage` is a fraction of u32::MAX. Field order and
 * names are the IDL's (0.1.8).
 */
export const orderLayout = account('Order', {
  marginfiAccount: pubkey,
  stopLoss: i80f48,
  takeProfit: i80f48,
  createdAt: i64,
  maxSlippage: u32,
  pad0: bytes(4),
  tags: array(u16, 2),
  pad1: bytes(4),
  _tags_padding: bytes(32),
  trigger: u8,
  bump: u8,
  pad2: bytes(6),
  _reserved1: bytes(128),
});

export type Order = ValueOf<typeof orderLayout>;

export type OrderArgs = ArgsOf<typeof orderLayout>;
