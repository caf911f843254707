import { Cluster, type Ground, type Service } from '../cluster/cluster.ts';
import { eventually } from '../eventually.ts';
import type { Balancer } from './balancer.ts';

/** How one process was replaced. */
export interface Replacement {
  /** When it was gone, as `performance.now()` counts. */
  readonly goneMs: number;
  readonly code: number | null;
}

const PATIENCE_MS = 240_000;

/** Processes of the three services, several of each, whose apis a balancer shares requests out among. */
export class Fleet extends Cluster {
  readonly #balancer: Balancer;

  constructor(ground: Ground, balancer: Balancer) {
    super(ground);
    this.#balancer = balancer;
  }

  /** Starts one, and waits until it is ready. */
  async add(name: string, service: Service): Promise<void> {
    const { url } = await this.start(service, { name });
    await eventually(async () => {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
      if (response.status !== 200) throw new Error(`${name} is not ready: ${await response.text()}`);
    }, PATIENCE_MS);
    if (service === 'api') this.#balancer.add(name, url);
  }

  /** Tells one to stop, waits until it is gone, starts another in its place, and waits until that is ready. */
  async restart(name: string): Promise<Replacement> {
    return this.#replace(name, () => this.stopOne(name));
  }

  /** The same without a word. */
  async killAndStart(name: string): Promise<Replacement> {
    return this.#replace(name, async () => {
      await this.kill(name);
      return null;
    });
  }

  async #replace(name: string, end: () => Promise<number | null>): Promise<Replacement> {
    const { service } = this.of(name);
    const code = await end();
    const goneMs = performance.now();
    if (service === 'api') this.#balancer.remove(name);
    await this.add(name, service);
    return { goneMs, code };
  }
}
