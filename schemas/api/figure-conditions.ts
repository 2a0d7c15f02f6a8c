export const FIGURE_SIGNS = ['>=', '<=', '!=', '='] as const;
export type FigureSign = (typeof FIGURE_SIGNS)[number];

/** A condition on a figure of the items of a list. */
export interface FigureCondition<Figure extends string = string> {
  readonly figure: Figure;
  readonly sign: FigureSign;
  readonly value: number;
}

const CONDITION = new RegExp(`^([a-zA-Z]+)(${FIGURE_SIGNS.join('|')})(\\d{1,15}(?:\\.\\d{1,2})?)$`);
/** Maximum number of conditions: each adds a term to the query. */
export const MAX_FIGURE_CONDITIONS = 12;

/**
 * Parses conditions on any figure, separated by commas, such as `crashes>=10,risk>=70`. Returns undefined if a part is
 * invalid.
 */
export function parseConditions(text: string): readonly FigureCondition[] | undefined {
  const conditions = text.split(',').map((one) => {
    const [, figure, sign, value] = CONDITION.exec(one.trim()) ?? [];
    return figure === undefined ? undefined : { figure, sign: sign as FigureSign, value: Number(value) };
  });
  if (conditions.length > MAX_FIGURE_CONDITIONS) return undefined;
  return conditions.every((one) => one !== undefined) ? conditions : undefined;
}

/**
 * As `parseConditions`, but accepts only the given figures. Values of figures in `fractional` may have two decimals.
 */
export function parseFiguresOf<Figure extends string>(
  text: string,
  figures: readonly Figure[],
  fractional: readonly Figure[] = [],
): readonly FigureCondition<Figure>[] | undefined {
  const conditions = parseConditions(text) as readonly FigureCondition<Figure>[] | undefined;
  const isKnown = ({ figure, value }: FigureCondition<Figure>) =>
    figures.includes(figure) && (Number.isInteger(value) || fractional.includes(figure));
  return conditions?.every(isKnown) ? conditions : undefined;
}

/** Formats a condition in the form that `parseConditions` reads. */
export function figureText({ figure, sign, value }: FigureCondition): string {
  return `${figure}${sign}${value}`;
}
