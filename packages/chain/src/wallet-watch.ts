import type { Address, Slot } from '@solana/kit';
import type { ChainHooks } from './chain-options.ts';
import { keepConnected } from './keep-connected.ts';
import { connectInTurn, createTriedHost, type PubSubEndpoint } from './pubsub-endpoint.ts';
import { type OnWalletChange, openWalletConnection, type WalletConnection } from './wallet-connection.ts';

/**
 * Tells when wallets change: their SOL, and the accounts they own of both token programs, at `confirmed`. When a wallet comes to be heard
 * of, and again after every lost connection, it may have changed. Not told: a token account that is closed or given to another owner, if the
 * wallet's SOL stays as it is; and what the node does not tell. So whoever listens reads wallets now and then, too.
 */
export interface WalletWatch {
  /** Hears of these wallets from now on, and of no others; of the first 200 where they are more. */
  select(wallets: readonly Address[]): void;
  /** How many wallets all is heard of right now. */
  count(): number;
  /** Stays connected until the signal aborts; never throws for the network's sake. */
  run(signal: AbortSignal): Promise<void>;
}

export interface WalletWatchOptions {
  /** Preferred first; asked before every connection. */
  readonly endpoints: () => readonly PubSubEndpoint[];
  /** Without a slot for this long, in milliseconds, the connection is given up. */
  readonly slotTimeoutMs: number;
  /** Longest pause between connections, in milliseconds. */
  readonly maxReconnectMs: number;
  readonly hooks: ChainHooks;
  /** Something was told of a confirmed slot: no later read may be of an older one. */
  readonly onConfirmed: (slot: Slot) => void;
}

/** With three subscriptions each, 100 to a socket: seven sockets. */
const MOST_WALLETS = 200;

export function createWalletWatch(options: WalletWatchOptions, onChange: OnWalletChange): WalletWatch {
  const { endpoints, slotTimeoutMs, maxReconnectMs, hooks, onConfirmed } = options;
  let selected: readonly Address[] = [];
  let current: WalletConnection | undefined;
  const tried = createTriedHost(endpoints);
  const report = (connected: boolean, reason: string | null) =>
    hooks.onWatchState?.({ watch: 'wallets', kind: 'pubsub', host: tried.host(), connected, reason });

  const connect = connectInTurn(tried.endpoints, (endpoint, signal) =>
    openWalletConnection(
      { ...endpoint, slotTimeoutMs, onChange, onConfirmed, onRefused: (reason) => report(true, reason) },
      signal,
    ),
  );

  return {
    select(wallets) {
      selected = wallets.slice(0, MOST_WALLETS);
      current?.select(selected);
    },
    count: () => current?.count() ?? 0,
    async run(signal) {
      const connections = keepConnected(connect, {
        signal,
        maxReconnectMs,
        goodAfterMs: slotTimeoutMs,
        onState: (reason) => report(reason === null, reason),
      });
      for await (const connection of connections) {
        current = connection;
        connection.select(selected);
        await connection.ended;
        current = undefined;
      }
    },
  };
}
