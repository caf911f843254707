import { type FirstContact, firstContactSchema } from '@lending/runtime/first-contact-file.ts';
import type { Report } from '../report/report.ts';

/** What the service reads of a run; null where the slot of the program's deployment, for which alone it would count, is not known. */
export function resultOf({ at, verdict, exceptions, relaxed, cluster, contact }: Report): FirstContact | null {
  const { address, deploy_slot, version } = contact.program;
  if (deploy_slot === null) return null;
  return firstContactSchema.parse({
    ...{ format: 1, at, program: address, deploy_slot, version: version ?? 'unknown', genesis: cluster.genesis_hash },
    ...{ verdict, exceptions, relaxed },
  });
}
