import type { JqInstance } from '#api/executions/expressions/jq-instance.ts';
import type { FoundExpression } from './expressions-of.ts';
import { type DefinitionIssue, problem } from './issue.ts';

const MAX_EXPRESSION_CHARACTERS = 16 * 1024;
/** Of one program; jq takes about 0.3 ms an expression, and 2 ms a program. */
const MAX_PROGRAM_CHARACTERS = 64 * 1024;
const MAX_TOLD = 20;
/** Names of the language that have no value here, with the reason. */
const UNDEFINED: readonly (readonly [name: string, reason: string])[] = [
  [
    '$authorization',
    'it would hold the value of a secret, which could then reach results: name the secret where the request needs it (`$secrets`)',
  ],
];

/**
 * Has jq compile every expression, and run none of them. Many are compiled in one program; where one is wrong, its program is halved until it is
 * found. Names without a value are errors too.
 */
export function checkExpressions(
  expressions: readonly FoundExpression[],
  variables: readonly string[],
  jq: Pick<JqInstance, 'run'>,
): DefinitionIssue[] {
  const issues: DefinitionIssue[] = [];
  const bindings = ['{} as $ENV |', ...variables.map((name) => `null as $${name} |`)].join(' ');
  const known = new Map<string, FoundExpression>();
  for (const found of expressions) {
    if (found.expression === '') issues.push(problem(found.path, 'an expression is expected'));
    else if (found.expression.length > MAX_EXPRESSION_CHARACTERS)
      issues.push(problem(found.path, `an expression has at most ${MAX_EXPRESSION_CHARACTERS} characters`));
    else if (!known.has(found.expression)) known.set(found.expression, found);
  }
  for (const batch of batchesOf([...known.values()])) check(batch);
  return issues.slice(0, MAX_TOLD);

  function check(batch: readonly FoundExpression[]): void {
    const [first] = batch;
    if (first === undefined || issues.length >= MAX_TOLD) return;
    const message = complaint(batch);
    if (message === undefined) return;
    if (batch.length === 1) {
      issues.push(problem(first.path, `this is no jq expression: ${message}`));
      return;
    }
    const half = Math.ceil(batch.length / 2);
    check(batch.slice(0, half));
    check(batch.slice(half));
  }

  function complaint(batch: readonly FoundExpression[]): string | undefined {
    const alternatives = batch.map(({ expression }) => `(\n${expression}\n)`).join(',');
    try {
      jq.run(`if true then null else (${bindings} ${alternatives}) end`, 'null');
      return undefined;
    } catch (error) {
      return wordsOf(error instanceof Error ? error.message : String(error));
    }
  }
}

function batchesOf(expressions: readonly FoundExpression[]): FoundExpression[][] {
  const batches: FoundExpression[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const found of expressions) {
    characters += found.expression.length + 4;
    if (characters > MAX_PROGRAM_CHARACTERS) {
      batches.push([]);
      characters = found.expression.length;
    }
    batches.at(-1)?.push(found);
  }
  return batches;
}

/** jq reports positions in the program around the expression: they are left out. */
function wordsOf(message: string): string {
  const [first = ''] = message.split('\n');
  return first
    .replace(/^jq: error(?: \(at [^)]*\))?: /, '')
    .replace(/ at <top-level>, line \d+.*$/, '')
    .replace(' (Unix shell quoting issues?)', '')
    .slice(0, 300)
    .concat(reasonOf(first));
}

function reasonOf(message: string): string {
  const known = UNDEFINED.find(([name]) => message.includes(`${name} is not defined`));
  return known === undefined ? '' : `: ${known[1]}`;
}
