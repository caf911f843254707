import type { Address } from '@solana/kit';
import type { AccountState, Engine } from '#engine/engine.ts';
import type { GeyserOptions, GeyserServer } from '#geyser/geyser-server.ts';
import { DEFAULT_RENT } from '#ledger/chain-parameters.ts';
import type { ClockSource } from '#ledger/clock.ts';
import { createLedger, type Ledger, type LedgerOptions } from '#ledger/ledger.ts';
import { tipAccounts } from '#ledger/tip-accounts.ts';
import type { HistoryLimits } from '#ledger/transaction-history.ts';
import type { Fault } from '#rpc/fault.ts';
import { createRpcServer, type RpcServer } from '#rpc/server.ts';

export interface LocalnetOptions {
  readonly engine: Engine;
  /** Accounts at the beginning. Asked only when no stored chain is continued. */
  readonly genesis: () => Iterable<readonly [Address, AccountState]>;
  readonly clock?: ClockSource;
  /** Name of the chain; a stored chain of another name is not continued. */
  readonly cluster?: string;
  /** Milliseconds per slot, default 400; null lets slots pass only by `ledger.advanceSlot()`. */
  readonly slotMs?: number | null;
  /** A new chain begins at this slot, or later where the demo market does, so that what was read of an older one stays behind. */
  readonly startSlot?: bigint;
  /** Whether a transaction whose fee payer cannot pay stands in a block, without effect, as SIMD-0290 lets it; default false. */
  readonly relaxesFeePayer?: boolean;
  readonly rent?: LedgerOptions['rent'];
  /** Folder the chain is stored in; without it nothing outlives the process. */
  readonly folder?: string;
  /** How much of its past the node can tell; default 9,000 blocks and 4,800 transactions. */
  readonly history?: HistoryLimits;
  /** What the chain's clock and its pace are taken from, in ms since 1970; default: the machine's clock. */
  readonly nowMs?: () => number;
  /** Port of the RPC server; 0, the default, takes a free one. */
  readonly port?: number;
  readonly report?: (line: string) => void;
}

/** A node of the chain: where it is reached, and how it fails. */
export interface LocalnetNode {
  /** JSON-RPC over HTTP. Known once started. */
  readonly rpcUrl: string;
  /** PubSub; the same port. Known once started. */
  readonly wsUrl: string;
  /** Makes the node fail on purpose, until called with null. */
  setFault(fault: Fault | null): void;
}

/** A small Solana node in process: a test double of a cluster, for everything that needs a chain and no network. */
export interface Localnet extends LocalnetNode {
  readonly ledger: Ledger;
  /**
   * Listens, then lets slots pass.
   * @throws RUNTIME__PORT_UNAVAILABLE when the port is taken.
   */
  start(): Promise<void>;
  /** Stops slots and server and stores the chain. It cannot be started again. */
  stop(): Promise<void>;
  /** Opens one more node of the same chain, on a free port, with faults of its own. It ends with the chain. */
  openNode(): Promise<LocalnetNode>;
  /** Opens a gRPC endpoint that speaks Yellowstone's protocol, on a free port unless one is given. It ends with the chain at the latest. */
  openGeyser(options?: GeyserNodeOptions): Promise<GeyserNode>;
}

export interface GeyserNodeOptions extends GeyserOptions {
  readonly port?: number;
}

/** A gRPC endpoint of the chain. It tells what happens from the moment it was opened. */
export interface GeyserNode extends Pick<GeyserServer, 'close' | 'setFault'> {
  /** An `http` URL: there is no TLS. */
  readonly grpcUrl: string;
}

/** Builds the node without starting it. */
export function createLocalnet(options: LocalnetOptions): Localnet {
  const { slotMs = 400, port = 0, ...ledgerOptions } = options;
  const report = options.report ?? ((line) => process.stderr.write(`localnet: ${line}\n`));
  const { rent = DEFAULT_RENT } = options;
  const genesis = () => new Map([...tipAccounts(rent), ...options.genesis()]);
  const ledger = createLedger({ ...ledgerOptions, genesis, rent, slotMs: slotMs ?? 400, report });
  const server = createRpcServer({ ledger, report });
  const others: (RpcServer | GeyserServer)[] = [];
  let boundPort: number | undefined;
  const url = (scheme: string) => {
    if (boundPort === undefined) throw new TypeError('The local chain has no URL before it is started');
    return `${scheme}://127.0.0.1:${boundPort}`;
  };
  return {
    ledger,
    get rpcUrl() {
      return url('http');
    },
    get wsUrl() {
      return url('ws');
    },
    async start() {
      boundPort = await server.listen(port);
      if (slotMs !== null) ledger.start();
    },
    async stop() {
      for (const one of [server, ...others]) await one.close();
      await ledger.stop();
    },
    setFault: (fault) => server.setFault(fault),
    async openNode() {
      const other = createRpcServer({ ledger, report });
      others.push(other);
      const address = `127.0.0.1:${await other.listen(0)}`;
      return { rpcUrl: `http://${address}`, wsUrl: `ws://${address}`, setFault: (fault) => other.setFault(fault) };
    },
    async openGeyser({ port: wanted = 0, ...geyserOptions } = {}) {
      // Loaded when asked for: only tests want gRPC, and only they install it.
      const { createGeyserServer } = await import('#geyser/geyser-server.ts');
      const geyser = createGeyserServer(ledger, geyserOptions);
      others.push(geyser);
      const grpcUrl = `http://127.0.0.1:${await geyser.listen(wanted)}`;
      return { grpcUrl, close: geyser.close, setFault: geyser.setFault };
    },
  };
}
