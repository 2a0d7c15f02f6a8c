import { type FigureCondition, parseFiguresOf } from './figure-conditions.ts';

/** Figures by which the list of cases can be filtered. */
export const CASE_FIGURES = ['detections', 'tasks', 'openTasks', 'doneTasks'] as const;
export type CaseFigure = (typeof CASE_FIGURES)[number];

export type CaseCondition = FigureCondition<CaseFigure>;

/**
 * Parses conditions separated by commas, such as `detections>=3,openTasks=0`. Returns undefined if a part is invalid.
 */
export function parseCaseFigures(text: string): readonly CaseCondition[] | undefined {
  return parseFiguresOf(text, CASE_FIGURES);
}
