/** One line of a chart. A value is null where nothing is known: the line breaks there. */
export interface ChartLine {
  readonly key: string;
  readonly label: string;
  /** Which of the four colours of lines. */
  readonly colour: 1 | 2 | 3 | 4;
  readonly isDashed?: boolean;
  /** Holds until it changes, such as a limit; else values are joined straight. */
  readonly isStepped?: boolean;
  /** Does not stretch the scale: a limit far above what it limits stays out of the picture, and its value in the legend. */
  readonly isBound?: boolean;
  /** One per time of the chart. */
  readonly values: readonly (number | null)[];
}

/** Whether nothing is known of a line at all. */
export function isBlank({ values }: Pick<ChartLine, 'values'>): boolean {
  return values.every((value) => value === null);
}

/** Places of values that have no neighbour to be joined with: they are drawn as dots. */
export function lonePlaces(values: readonly (number | null | undefined)[]): number[] {
  return [...values.keys()].filter(
    (place) => values[place] != null && values[place - 1] == null && values[place + 1] == null,
  );
}
