/** Figures of hosts and programs that their lists can be filtered by. Programs are counted of hosts only. */
export const ACTIVITY_FIGURES = ['events', 'crashes', 'programs', 'detections', 'openDetections', 'risk'] as const;
export type ActivityFigure = (typeof ACTIVITY_FIGURES)[number];

export const FIGURE_SIGNS = ['>=', '<=', '!=', '='] as const;
export type FigureSign = (typeof FIGURE_SIGNS)[number];

/** A condition on a figure. The risk is that on the scale of 0 to 100. */
export interface FigureCondition {
  readonly figure: ActivityFigure;
  readonly sign: FigureSign;
  readonly value: number;
}

const CONDITION = new RegExp(`^(${ACTIVITY_FIGURES.join('|')})(${FIGURE_SIGNS.join('|')})(\\d{1,15}(?:\\.\\d{1,2})?)$`);
/** The query has a condition for each. */
export const MAX_FIGURE_CONDITIONS = 12;

/** Reads conditions that are joined by commas, such as `crashes>=10,risk>=70`. Undefined when a part is not a condition. */
export function parseFigures(text: string): readonly FigureCondition[] | undefined {
  const conditions = text.split(',').map((one) => {
    const [, figure, sign, value] = CONDITION.exec(one.trim()) ?? [];
    if (figure === undefined || (figure !== 'risk' && value?.includes('.') === true)) return undefined;
    return { figure: figure as ActivityFigure, sign: sign as FigureSign, value: Number(value) };
  });
  if (conditions.length > MAX_FIGURE_CONDITIONS) return undefined;
  return conditions.every((one) => one !== undefined) ? conditions : undefined;
}

/** A condition as `parseFigures` reads it. */
export function figureText({ figure, sign, value }: FigureCondition): string {
  return `${figure}${sign}${value}`;
}
