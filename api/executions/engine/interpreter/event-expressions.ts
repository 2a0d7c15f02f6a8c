/**
 * Returns the paths of the expressions in an event strategy at this path: `until`, and `from` of each correlation. See
 * `TaskKindDefinition.expressions`.
 */
export function eventExpressions(at: string): readonly string[] {
  const filters = ['one', 'any/*', 'all/*'];
  const correlations = [at, `${at}/until`].flatMap((place) =>
    filters.map((filter) => `${place}/${filter}/correlate/*/from`),
  );
  return [`${at}/until`, ...correlations];
}
