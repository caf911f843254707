import type { ComponentReporter } from '@lending/runtime';

/** Rates do without quotes: no readiness hangs on them. */
export const NOT_SHOWN: ComponentReporter = { ready: () => undefined, notReady: () => undefined };
