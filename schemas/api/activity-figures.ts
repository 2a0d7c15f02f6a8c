import { type FigureCondition, parseFiguresOf } from './figure-conditions.ts';

/** Figures by which lists of hosts and programs can be filtered. Only hosts have a number of programs. */
export const ACTIVITY_FIGURES = ['events', 'crashes', 'programs', 'detections', 'openDetections', 'risk'] as const;
export type ActivityFigure = (typeof ACTIVITY_FIGURES)[number];

/** A condition on a figure. `risk` is on a scale of 0 to 100. */
export type ActivityCondition = FigureCondition<ActivityFigure>;

/** Parses conditions separated by commas, such as `crashes>=10,risk>=70`. Returns undefined if a part is invalid. */
export function parseFigures(text: string): readonly ActivityCondition[] | undefined {
  return parseFiguresOf(text, ACTIVITY_FIGURES, ['risk']);
}
