export const FIGURE_SIGNS = ['>=', '<=', '!=', '='] as const;
export type FigureSign = (typeof FIGURE_SIGNS)[number];

/** A condition on a figure of the records of a list. */
export interface FigureCondition<Figure extends string = string> {
  readonly figure: Figure;
  readonly sign: FigureSign;
  readonly value: number;
}

const CONDITION = new RegExp(`^([a-zA-Z]+)(${FIGURE_SIGNS.join('|')})(\\d{1,15}(?:\\.\\d{1,2})?)$`);
/** The query has a condition for each. */
export const MAX_FIGURE_CONDITIONS = 12;

/** Reads conditions that are joined by commas, such as `crashes>=10,risk>=70`, on any figure. Undefined when a part is not a condition. */
export function parseConditions(text: string): readonly FigureCondition[] | undefined {
  const conditions = text.split(',').map((one) => {
    const [, figure, sign, value] = CONDITION.exec(one.trim()) ?? [];
    return figure === undefined ? undefined : { figure, sign: sign as FigureSign, value: Number(value) };
  });
  if (conditions.length > MAX_FIGURE_CONDITIONS) return undefined;
  return conditions.every((one) => one !== undefined) ? conditions : undefined;
}

/** Conditions on these figures only; those on `fractional` may have two decimals. */
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

/** A condition as `parseConditions` reads it. */
export function figureText({ figure, sign, value }: FigureCondition): string {
  return `${figure}${sign}${value}`;
}
