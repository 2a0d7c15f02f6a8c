/** Places of expressions in a strategy of events, which is at a place itself: `until`, and `from` of what correlates. See `TaskKindDefinition.expressions`. */
export function eventExpressions(at: string): readonly string[] {
  const filters = ['one', 'any/*', 'all/*'];
  const correlations = [at, `${at}/until`].flatMap((place) =>
    filters.map((filter) => `${place}/${filter}/correlate/*/from`),
  );
  return [`${at}/until`, ...correlations];
}
