import { type FigureCondition, parseFiguresOf } from './figure-conditions.ts';

/** Figures of hosts and programs that their lists can be filtered by. Programs are counted of hosts only. */
export const ACTIVITY_FIGURES = ['events', 'crashes', 'programs', 'detections', 'openDetections', 'risk'] as const;
export type ActivityFigure = (typeof ACTIVITY_FIGURES)[number];

/** A condition on a figure. The risk is that on the scale of 0 to 100. */
export type ActivityCondition = FigureCondition<ActivityFigure>;

/** Reads conditions that are joined by commas, such as `crashes>=10,risk>=70`. Undefined when a part is not a condition. */
export function parseFigures(text: string): readonly ActivityCondition[] | undefined {
  return parseFiguresOf(text, ACTIVITY_FIGURES, ['risk']);
}
