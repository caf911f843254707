import type { Check, World } from '#checks/check.ts';
import { callTool } from '#checks/mcp.ts';
import { AnsweredError } from '#service/answered-error.ts';
import { ATTEMPTS, type Attempt } from './attempts.ts';
import { type Envelope, envelopeFaults } from './envelope-faults.ts';

const MOST_ATTEMPTS = 8;

/** How an attempt ended, for the report. */
interface Ended {
  readonly authority: string;
  readonly args: Attempt['args'];
  /** `built`, or the code that it was refused with. */
  readonly outcome: string;
  readonly reason: string | null;
}

/** One check for each builder: asked for one wallet after the other until it builds, at both doors. Nothing is sent. */
export const builderChecks: readonly Check[] = Object.keys(ATTEMPTS).map((name) => ({
  name: `${name} builds what the node would take`,
  run: (world) => build(world, name),
}));

async function build(world: World, name: string): ReturnType<Check['run']> {
  const attempts = spread(ATTEMPTS[name]?.(world.findings) ?? []).slice(0, MOST_ATTEMPTS);
  if (attempts.length === 0) return { faults: ['nobody was found who could be asked for'] };
  const ended: Ended[] = [];
  for (const { authority, args } of attempts) {
    const body = { authority, ...args };
    try {
      const envelope = await world.service.ask<Envelope>(name, { body });
      ended.push({ authority, args, outcome: 'built', reason: null });
      const faults = [
        ...(await envelopeFaults(envelope, authority, world.node)),
        ...(await atTheOtherDoor(world, name, body)),
      ];
      world.findings.plan ??= {
        id: envelope.plan_id,
        transactions: envelope.transactions.map(({ base64 }) => base64),
      };
      const { submit, swap } = envelope;
      const types = envelope.transactions.map(({ type }) => type);
      return { faults, figures: { attempts: ended, submit, transactions: types, ...(swap != null && { swap }) } };
    } catch (error) {
      if (!(error instanceof AnsweredError)) throw error;
      ended.push({ authority, args, outcome: error.code, reason: error.message });
    }
  }
  return {
    faults: [`none of ${ended.length} was built: ${ended.map(({ outcome }) => outcome).join(', ')}`],
    figures: { attempts: ended },
  };
}

/** The same as an agent asks it, without the bytes. */
async function atTheOtherDoor(world: World, name: string, body: object): Promise<readonly string[]> {
  const { isError, structuredContent } = await callTool(world, name, { ...body, preview_only: true });
  return isError === true ? [`over MCP it is refused: ${JSON.stringify(structuredContent).slice(0, 300)}`] : [];
}

/** One of each wallet first: what refuses one refuses its next, too. */
function spread(attempts: readonly Attempt[]): readonly Attempt[] {
  const byWallet = [...Map.groupBy(attempts, ({ authority }) => authority).values()];
  const longest = Math.max(0, ...byWallet.map((its) => its.length));
  return Array.from({ length: longest }, (_, at) => byWallet.flatMap((its) => its.slice(at, at + 1))).flat();
}
