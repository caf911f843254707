import { GraphQLFloat, GraphQLID, GraphQLInt, type GraphQLScalarType, GraphQLString } from 'graphql';
import { BigInteger, DateTime, Decimal, PublicKey, Slot } from './scalars.ts';

/** Records say text or number; what it means stands in the field's name, which is the same everywhere. */

const TIME = /^(at|time|since|until|overruled_until|first_available|last_available|.*_time|.*_at)$/;
const ADDRESS =
  /^(address|mint|market|account|accounts|authority|group|actor|owner|liquidator|counterparty|bank|banks|reserve|.*_bank)$/;
const DECIMAL = /^(exchange_rate|.*_share_value)$/;
const SLOT = /^(slot|slot_first|slot_last|.*_slot|unverified_since)$/;
/** Counts of everything since the beginning: they outgrow GraphQL's Int of 32 bits. */
const LARGE_COUNT = /^(compared|differed)$/;

/** Called like addresses, and none. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['StatusConsumers.group']);

/** The scalar of a text field of the type `typeName`. */
export function textScalarOf(typeName: string, name: string): GraphQLScalarType {
  if (name === 'id') return GraphQLID;
  if (TIME.test(name)) return DateTime;
  if (ADDRESS.test(name) && !NO_ADDRESS.has(`${typeName}.${name}`)) return PublicKey;
  if (DECIMAL.test(name)) return Decimal;
  return name.endsWith('_raw') ? BigInteger : GraphQLString;
}

/** The scalar of a number field. */
export function numberScalarOf(name: string, isWhole: boolean): GraphQLScalarType {
  if (!isWhole || LARGE_COUNT.test(name)) return GraphQLFloat;
  return SLOT.test(name) ? Slot : GraphQLInt;
}
