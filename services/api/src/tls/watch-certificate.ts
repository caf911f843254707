import { describeError } from '@lending/errors';
import { type Logger, type Metrics, runBeat } from '@lending/runtime';
import { type Certificate, type CertificateSettings, readCertificate } from './read-certificate.ts';

/** A renewal is due weeks before its predecessor ends. Looking is cheaper than being told: secrets of Kubernetes change by a link above the files. */
const LOOK_EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
/** Whoever renews does so long before: Let's Encrypt's clients thirty days, and ten for certificates of six weeks. */
const WARN_DAYS = 7;

export interface WatchCertificateOptions {
  readonly settings: CertificateSettings;
  /** What was read at the start. */
  readonly current: Certificate;
  /** Told of every other one. */
  readonly onRenewed: (certificate: Certificate) => void;
  readonly logger: Logger;
  /** Where it is told how long the certificate still holds; default: nowhere. */
  readonly metrics?: Metrics;
  readonly lookEveryMs?: number;
  readonly now?: () => number;
}

/**
 * Looks at the files of the certificate until the signal aborts, and hands on what is renewed there. What cannot be used is said once, and the last
 * that could goes on; so is one that ends soon, or did.
 */
export async function watchCertificate(options: WatchCertificateOptions, signal: AbortSignal): Promise<void> {
  const { settings, onRenewed, logger, lookEveryMs = LOOK_EVERY_MS, now = Date.now } = options;
  let current = options.current;
  options.metrics?.gauge({
    name: 'api.certificate.expire_seconds',
    help: 'Seconds until the certificate that is shown runs out; negative since it did',
    collect: () => (current.untilMs - now()) / 1000,
  });
  let refused: string | null = null;
  let told: string | null = null;

  function tellOfItsDates(): void {
    const trouble = troubleOf(current, now());
    const { cert } = current;
    if (trouble !== null && told !== trouble + cert)
      logger.warn('api.certificate.expire', { trouble, ...datesOf(current) });
    told = trouble === null ? null : trouble + cert;
  }

  await runBeat(lookEveryMs, signal, async () => {
    try {
      const found = readCertificate(settings);
      refused = null;
      if (found !== null && (found.cert !== current.cert || found.key !== current.key)) {
        onRenewed(found);
        current = found;
        logger.info('api.certificate.renew', datesOf(found));
      }
    } catch (error) {
      const reason = describeError(error);
      if (reason !== refused) logger.warn('api.certificate.refuse', { reason, ...datesOf(current) });
      refused = reason;
    }
    tellOfItsDates();
  });
}

/** Why whoever asks may not believe it, or soon will not; null where he does. */
function troubleOf({ fromMs, untilMs }: Certificate, now: number): string | null {
  if (now > untilMs) return 'it ran out';
  if (now < fromMs) return 'it does not hold yet';
  return untilMs - now < WARN_DAYS * DAY_MS ? 'it runs out soon' : null;
}

function datesOf({ fromMs, untilMs }: Certificate) {
  return { valid_from: new Date(fromMs).toISOString(), valid_until: new Date(untilMs).toISOString() };
}
