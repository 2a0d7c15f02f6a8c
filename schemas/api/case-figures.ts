import { type FigureCondition, parseFiguresOf } from './figure-conditions.ts';

/** Numbers of cases that their list can be filtered by. */
export const CASE_FIGURES = ['detections', 'tasks', 'openTasks', 'doneTasks'] as const;
export type CaseFigure = (typeof CASE_FIGURES)[number];

export type CaseCondition = FigureCondition<CaseFigure>;

/** Reads conditions that are joined by commas, such as `detections>=3,openTasks=0`. Undefined when a part is not a condition. */
export function parseCaseFigures(text: string): readonly CaseCondition[] | undefined {
  return parseFiguresOf(text, CASE_FIGURES);
}
