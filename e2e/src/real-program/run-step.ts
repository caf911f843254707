import { BANK_OPERATIONAL_STATES, bankLayout, marginfiGroupLayout, priceUpdateV2Layout } from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { GROUP } from './addresses.ts';
import { buildInstructions } from './build-instructions.ts';
import type { Chain } from './chain.ts';
import { type BankName, bankNamed, MARKET } from './market.ts';
import type { Refusal } from './program-error.ts';
import type { Side } from './sides.ts';
import type { EdgeStep, Step } from './steps.ts';
import { type FeedPrice, feedState } from './world.ts';

/** What a step came to on one chain. */
export interface StepResult {
  readonly refusal: Refusal | null;
  /** The amount found, and why one more is refused. */
  readonly edge: { readonly amount: bigint; readonly next: string | null } | null;
  readonly logs: readonly string[];
}

const NOTHING: StepResult = { refusal: null, edge: null, logs: [] };
/** No token of the market has so many base units. */
const TOO_MUCH = 1n << 63n;

export function runStep(side: Side, step: Step): StepResult {
  const { chain } = side;
  switch (step.kind) {
    case 'send':
      return { ...side.send(buildInstructions(chain, step.ops)), edge: null };
    case 'time':
      chain.passTime(step.seconds);
      for (const name of MARKET.keys()) if (!step.staleFeeds?.includes(name)) publish(chain, name, {});
      return NOTHING;
    case 'price':
      publish(chain, step.bank, step.feed);
      return NOTHING;
    case 'pause':
      pause(chain);
      return NOTHING;
    case 'hourlyLimit':
      limitOutflow(chain, step.bank, step.outflow);
      return NOTHING;
    case 'state':
      setState(chain, step.bank, step.state);
      return NOTHING;
    case 'edge':
      return runEdge(side, step);
    default:
      return step satisfies never;
  }
}

/** Publishes a feed now, with what it said before where nothing else is given. */
function publish(chain: Chain, name: BankName, feed: Partial<FeedPrice>): void {
  const bank = bankNamed(name);
  const { priceMessage } = priceUpdateV2Layout.decode(chain.data(bank.oracle));
  const before = {
    price: priceMessage.price,
    confidence: priceMessage.conf,
    emaPrice: priceMessage.emaPrice,
    emaConfidence: priceMessage.emaConf,
    publishTime: chain.unixTimestamp,
  };
  chain.setAccount(bank.oracle, feedState(bank, { ...before, ...feed }));
}

function setState(chain: Chain, name: BankName, state: Extract<Step, { readonly kind: 'state' }>['state']): void {
  const { address } = bankNamed(name);
  const bank = bankLayout.decode(chain.data(address));
  const config = { ...bank.config, operationalState: BANK_OPERATIONAL_STATES.indexOf(state) };
  chain.setData(address, new Uint8Array(bankLayout.encode({ ...bank, config })));
}

function pause(chain: Chain): void {
  const codec = marginfiGroupLayout;
  const group = codec.decode(chain.data(GROUP));
  const panicStateCache = { ...group.panicStateCache, pauseFlags: 1, pauseStartTimestamp: chain.unixTimestamp };
  chain.setData(GROUP, new Uint8Array(codec.encode({ ...group, panicStateCache })));
}

function limitOutflow(chain: Chain, name: BankName, outflow: bigint): void {
  const { address } = bankNamed(name);
  const bank = bankLayout.decode(chain.data(address));
  const hourly = {
    maxOutflow: outflow,
    windowDuration: 3_600n,
    windowStart: chain.unixTimestamp,
    prevWindowOutflow: 0n,
    curWindowOutflow: 0n,
  };
  const rateLimiter = { ...bank.rateLimiter, hourly };
  chain.setData(address, new Uint8Array(bankLayout.encode({ ...bank, rateLimiter })));
}

/** Whether an amount passes and one base unit more does not. Rounding makes several such amounts, some units apart. */
export function isEdge(side: Side, step: EdgeStep, amount: bigint): boolean {
  return (amount === 0n || refusalAt(side, step, amount) === null) && refusalAt(side, step, amount + 1n) !== null;
}

function refusalAt(side: Side, step: EdgeStep, amount: bigint): string | null {
  return side.attempt(buildEdge(side, step, amount)).refusal?.name ?? null;
}

function buildEdge({ chain }: Side, { op, user, bank }: EdgeStep, amount: bigint): readonly Instruction[] {
  return buildInstructions(chain, [{ op, user, bank, amount }]);
}

function runEdge(side: Side, step: EdgeStep): StepResult {
  let passes = 0n;
  let fails = TOO_MUCH;
  while (fails - passes > 1n) {
    const middle = (passes + fails) / 2n;
    if (refusalAt(side, step, middle) === null) passes = middle;
    else fails = middle;
  }
  const next = refusalAt(side, step, fails);
  if (passes === 0n) return { ...NOTHING, edge: { amount: 0n, next } };
  const { refusal, logs } = side.send(buildEdge(side, step, passes));
  return { refusal, logs, edge: { amount: passes, next } };
}
