import { patternProblem } from '#api/executions/json-schema/pattern-limits.ts';
import { type DefinitionIssue, problem } from './issue.ts';
import { type JsonRecord, type Path, walk } from './walk.ts';

/** A string without these characters is compared literally. */
const SIGNS = /[*+?[\](){}|^$\\]/;

/** Rejects regular expressions in event filters (`listen`, `schedule.on`) that could take exponential time. */
export function checkPatterns(definition: JsonRecord): DefinitionIssue[] {
  const issues: DefinitionIssue[] = [];
  walk(definition, (value, path) => {
    if (typeof value !== 'string' || !SIGNS.test(value) || value.includes('${') || !isInFilter(path)) return;
    if (!isPattern(value)) return;
    const message = patternProblem(value);
    if (message !== undefined) issues.push(problem(path, message));
  });
  return issues;
}

function isInFilter(path: Path): boolean {
  const at = path.findIndex((key) => key === 'listen' || key === 'schedule');
  const attributes = path.indexOf('with', at);
  return at >= 0 && attributes > at && path.indexOf('foreach', at) < 0;
}

/** Returns false for a string that does not compile: it is compared literally. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
