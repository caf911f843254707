import { type KafkaBroker, type Link, openLink, startKafkaBroker } from '@lending/testing';

/** Opens a link to whatever answers at a URL. */
export function openLinkTo(url: string): Promise<Link> {
  return openLink({ to: Number(new URL(url).port) });
}

/** The URL with a link in its place. */
export function throughLink(url: string, { port }: Link): string {
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  return through.href.replace(/\/$/, '');
}

export interface LinkedBroker extends KafkaBroker {
  /** Between the broker and its clients. */
  readonly link: Link;
  /** Where it listens, past the link. */
  readonly port: number;
}

type BrokerOptions = Omit<NonNullable<Parameters<typeof startKafkaBroker>[0]>, 'advertise'>;

/** A broker that its clients reach through a link. */
export async function startLinkedBroker(options: BrokerOptions = {}): Promise<LinkedBroker> {
  const linked = Promise.withResolvers<{ readonly link: Link; readonly port: number }>();
  const broker = await startKafkaBroker({
    ...options,
    async advertise(port) {
      const link = await openLink({ to: port });
      linked.resolve({ link, port });
      return link.port;
    },
  });
  const { link, port } = await linked.promise;
  return {
    ...broker,
    link,
    port,
    async stop() {
      await broker.stop();
      await link.close();
    },
  };
}
