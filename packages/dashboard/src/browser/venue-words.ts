/** Venues as the wire names them, in the order they are shown. */
export const VENUES = ['P0', 'Kamino', 'JupLend', 'Solend', 'Drift'] as const;
