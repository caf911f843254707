import { fromUiAmount } from '@lending/domain';
import type { TestDatabase } from '@lending/store/testing';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { startHistoryPoller, untilStored } from '../history/history-poller.ts';
import { openServices } from '../history/history-world.ts';
import { getJson } from '../http.ts';
import type { BuildersWorld } from './world.ts';

/** What an account may take, as `svc_get_positions` reads it of the confirmed chain. */
export interface ReadCapacities {
  /** Base units that can be withdrawn of a deposit in the bank, and what stops more. */
  maxWithdraw(bank: P0Bank): ReadCapacity;
  maxBorrow(bank: P0Bank): ReadCapacity;
}

export interface ReadCapacity {
  readonly maxBase: bigint;
  readonly limitedBy: string | null;
}

export interface Reader {
  /** Reads every bank and reserve, and waits until the tables have them and the account. */
  read(account: Address): Promise<ReadCapacities>;
  stop(): Promise<void>;
}

interface PositionsAnswer {
  readonly accounts: readonly {
    readonly positions: readonly {
      readonly bank: string;
      readonly max_withdraw_ui: number | null;
      readonly max_withdraw_limited_by: string | null;
    }[];
    readonly max_borrow: readonly {
      readonly bank: string;
      readonly amount_ui: number | null;
      readonly limited_by: string | null;
    }[];
  }[];
}

/** Poller, log, indexer and api beside the builders, on the same chain. */
export async function openReader(world: BuildersWorld, database: TestDatabase): Promise<Reader> {
  const { localnet, time } = world;
  const services = await openServices({ localnet, database, time });
  const poller = startHistoryPoller(services);
  return {
    async read(account) {
      await poller.sample();
      await untilStored(services, poller);
      // A new one has read the tables as they are.
      await services.restartApi();
      const url = `${services.api.url}/v1/account/${account}?response_format=detailed`;
      const [found] = (await getJson<PositionsAnswer>(url)).accounts;
      if (found === undefined) throw new Error(`The account ${account} is not in the tables`);
      return {
        maxWithdraw: (bank) => {
          const position = found.positions.find((each) => each.bank === bank.address);
          return capacityOf(bank, position?.max_withdraw_ui, position?.max_withdraw_limited_by);
        },
        maxBorrow: (bank) => {
          const borrow = found.max_borrow.find((each) => each.bank === bank.address);
          return capacityOf(bank, borrow?.amount_ui, borrow?.limited_by);
        },
      };
    },
    async stop() {
      await poller.stop();
      await services.stop();
    },
  };
}

function capacityOf(bank: P0Bank, ui: number | null | undefined, limitedBy: string | null | undefined): ReadCapacity {
  if (ui == null) throw new Error(`Nothing is known of what can be taken at ${bank.address}`);
  return { maxBase: fromUiAmount(ui.toFixed(bank.decimals), bank.decimals), limitedBy: limitedBy ?? null };
}
