import { z } from 'zod';
import { FIGURE_SIGNS, type FigureCondition, MAX_FIGURE_CONDITIONS } from '#schemas/api/figure-conditions.ts';

/**
 * Query string schema of conditions on these figures, joined by commas. `note` completes the sentence in the reference;
 * `example` must be valid.
 */
export function queryFigures<Figure extends string>(
  figures: readonly Figure[],
  {
    parse,
    example,
    note = '',
  }: {
    readonly parse: (text: string) => readonly FigureCondition<Figure>[] | undefined;
    readonly example: string;
    readonly note?: string;
  },
) {
  const [first = ''] = example.split(',');
  return z
    .string()
    .max(400)
    .transform((text, context): readonly FigureCondition<Figure>[] => {
      const conditions = parse(text);
      if (conditions?.every(({ figure }) => figures.includes(figure))) return conditions;
      context.addIssue({ code: 'custom', message: `must be a figure, a sign and a number such as ${first}` });
      return z.NEVER;
    })
    .optional()
    .describe(
      `conditions on figures, joined by commas; all must hold. Each is one of ${figures.join(', ')}, then ${FIGURE_SIGNS.join(', ')}, then a number${note}. At most ${MAX_FIGURE_CONDITIONS}`,
    )
    .meta({ example });
}
