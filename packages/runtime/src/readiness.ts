/** One part that must work before the process can answer, as `/readyz` and `/v1/status` show it. */
export interface ComponentStatus {
  readonly name: string;
  readonly ready: boolean;
  /** Why not; null when ready. */
  readonly reason: string | null;
  /** When the current state began. */
  readonly since: Date;
}

export interface ReadinessStatus {
  readonly ready: boolean;
  readonly components: readonly ComponentStatus[];
}

/** The side that reports. Repeating a state does not move its `since`. */
export interface ComponentReporter {
  ready(): void;
  notReady(reason: string): void;
}

export interface Readiness {
  /** Registers a part; it is not ready ("starting") until it says otherwise. The same name gives the same part. */
  component(name: string): ComponentReporter;
  getStatus(): ReadinessStatus;
}

export interface ReadinessOptions {
  /** Told of every change between ready and not ready, and of every new reason. */
  readonly onChange?: (status: ComponentStatus) => void;
  readonly now?: () => Date;
}

/** Collects what the parts of a process say about themselves. The whole is ready when there is a part and all are. */
export function createReadiness({ onChange, now = () => new Date() }: ReadinessOptions = {}): Readiness {
  const components = new Map<string, ComponentStatus>();

  function set(name: string, ready: boolean, reason: string | null): void {
    const before = components.get(name);
    if (before?.ready === ready && before.reason === reason) return;
    const since = before?.ready === ready ? before.since : now();
    const status = Object.freeze({ name, ready, reason, since });
    components.set(name, status);
    if (before !== undefined) onChange?.(status);
  }

  return {
    component(name) {
      if (!components.has(name)) set(name, false, 'starting');
      return { ready: () => set(name, true, null), notReady: (reason) => set(name, false, reason) };
    },
    getStatus() {
      const all = [...components.values()];
      return { ready: all.length > 0 && all.every(({ ready }) => ready), components: all };
    },
  };
}
