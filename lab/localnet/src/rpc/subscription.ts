import type { Address, Commitment } from '@solana/kit';
import * as z from 'zod';
import type { AccountState } from '#engine/engine.ts';
import { compileFilters } from './encode-account.ts';
import { rpcErrors } from './json-rpc-error.ts';
import {
  type AccountConfig,
  accountConfig,
  addressField,
  contextConfig,
  parameter,
  programConfig,
} from './parameters.ts';

/** What one subscription asks for. */
export type Subscription =
  | { readonly kind: 'slot' }
  | {
      readonly kind: 'account';
      readonly address: Address;
      readonly commitment: Commitment;
      readonly config: AccountConfig;
    }
  | {
      readonly kind: 'program';
      readonly program: Address;
      readonly commitment: Commitment;
      readonly config: AccountConfig;
      readonly matches: (state: AccountState) => boolean;
    }
  | { readonly kind: 'logs'; readonly mentions: Address; readonly commitment: Commitment };

const logsFilter = z.object({
  mentions: z.array(addressField).length(1, 'Invalid Request: Only 1 address supported'),
});

/** Reads the parameters of `<kind>Subscribe`. Undefined when there is no such subscription. */
export function readSubscription(method: string, params: readonly unknown[]): Subscription | undefined {
  switch (method) {
    case 'slotSubscribe':
      return { kind: 'slot' };
    case 'accountSubscribe': {
      const { commitment, ...config } = parameter(params, 1, accountConfig);
      return { kind: 'account', address: parameter(params, 0, addressField), commitment, config };
    }
    case 'programSubscribe': {
      const { commitment, filters, ...config } = parameter(params, 1, programConfig);
      const program = parameter(params, 0, addressField);
      return { kind: 'program', program, commitment, config, matches: compileFilters(filters) };
    }
    case 'logsSubscribe': {
      const [mentions] = parameter(params, 0, logsFilter).mentions;
      if (mentions === undefined) return undefined;
      return { kind: 'logs', mentions, commitment: parameter(params, 1, contextConfig).commitment };
    }
    default:
      return undefined;
  }
}

const UNSUBSCRIBE = /^(account|logs|program|slot)Unsubscribe$/;

/** The subscription id of `<kind>Unsubscribe`; undefined for another method. */
export function readUnsubscription(method: string, params: readonly unknown[]): number | undefined {
  if (!UNSUBSCRIBE.test(method)) return undefined;
  const [id] = params;
  if (typeof id === 'number') return id;
  throw rpcErrors.invalidParams('Invalid subscription id.');
}
