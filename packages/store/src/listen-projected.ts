import { type Listener, type ListenOptions, listenChannel } from './listen-channel.ts';
import { PROJECTED_CHANNEL, type ProjectedNotice } from './notify-projected.ts';

export interface ListenProjectedOptions extends Omit<ListenOptions, 'channel' | 'onNotice'> {
  readonly onProjected: (notice: ProjectedNotice) => void;
}

export type ProjectedListener = Listener;

/** Hears of projected rows. */
export function listenProjected({ onProjected, ...options }: ListenProjectedOptions): ProjectedListener {
  return listenChannel({
    ...options,
    channel: PROJECTED_CHANNEL,
    onNotice: (notice) => onProjected(notice as ProjectedNotice),
  });
}
