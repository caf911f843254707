import type { Address, Commitment, Signature } from '@solana/kit';
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
  signatureField,
} from './parameters.ts';

/** What one subscription asks for. */
export type Subscription =
  | { readonly kind: 'slot' }
  | { readonly kind: 'root' }
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
  | { readonly kind: 'logs'; readonly mentions: Address | null; readonly commitment: Commitment }
  | {
      readonly kind: 'signature';
      readonly signature: Signature;
      readonly commitment: Commitment;
      readonly wantsReceived: boolean;
    };

const logsFilter = z.union([
  z.enum(['all', 'allWithVotes']),
  z.object({ mentions: z.array(addressField).length(1, 'Invalid Request: Only 1 address supported') }),
]);
const receivedFlag = z.object({ enableReceivedNotification: z.boolean().nullish() }).nullish();

/** Reads the parameters of `<kind>Subscribe`. Undefined when there is no such subscription. */
export function readSubscription(method: string, params: readonly unknown[]): Subscription | undefined {
  switch (method) {
    case 'slotSubscribe':
      return { kind: 'slot' };
    case 'rootSubscribe':
      return { kind: 'root' };
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
      const filter = parameter(params, 0, logsFilter);
      const mentions = typeof filter === 'string' ? null : (filter.mentions[0] ?? null);
      return { kind: 'logs', mentions, commitment: parameter(params, 1, contextConfig).commitment };
    }
    case 'signatureSubscribe': {
      const { commitment } = parameter(params, 1, contextConfig);
      const wantsReceived = parameter(params, 1, receivedFlag)?.enableReceivedNotification ?? false;
      return { kind: 'signature', signature: parameter(params, 0, signatureField), commitment, wantsReceived };
    }
    default:
      return undefined;
  }
}

const UNSUBSCRIBE = /^(account|logs|program|root|signature|slot)Unsubscribe$/;

/** The subscription id of `<kind>Unsubscribe`; undefined for another method. */
export function readUnsubscription(method: string, params: readonly unknown[]): number | undefined {
  if (!UNSUBSCRIBE.test(method)) return undefined;
  const [id] = params;
  if (typeof id === 'number') return id;
  throw rpcErrors.invalidParams('Invalid subscription id.');
}
