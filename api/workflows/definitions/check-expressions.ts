import type { JqInstance } from '#api/executions/expressions/jq-instance.ts';
import type { FoundExpression } from './expressions-of.ts';
import { type DefinitionIssue, problem } from './issue.ts';

const MAX_EXPRESSION_CHARACTERS = 16 * 1024;
/** Maximum size of one program. jq takes about 0.3 ms per expression and 2 ms per program. */
const MAX_PROGRAM_CHARACTERS = 64 * 1024;
const MAX_REPORTED = 20;
/** Names of the language that are not supported here, with the reason. */
const UNDEFINED: readonly (readonly [name: string, reason: string])[] = [
  [
    '$authorization',
    'it would hold the value of a secret, which could then reach results: name the secret where the request needs it (`$secrets`)',
  ],
];

/** Variables of the language or of tasks that are available only in some places. */
const SCOPED = 'output|task|error|item|index|context|input|secrets|workflow|runtime';

/** An expression with its available variables. */
interface ScopedExpression extends FoundExpression {
  readonly variables: readonly string[];
}

/**
 * Compiles all expressions with jq, without running them. Expressions with the same variables are compiled together in
 * one program. If a program fails, it is bisected until the invalid expressions are found. Variables that are
 * unavailable in their place are errors too.
 */
export function checkExpressions(
  expressions: readonly FoundExpression[],
  variablesAt: (path: FoundExpression['path']) => readonly string[],
  jq: Pick<JqInstance, 'run'>,
): DefinitionIssue[] {
  const issues: DefinitionIssue[] = [];
  /** Expressions by variables, then by text. */
  const groups = new Map<string, Map<string, ScopedExpression>>();
  for (const found of expressions) {
    const variables = variablesAt(found.path);
    const key = variables.join(' ');
    const group = groups.get(key) ?? new Map<string, ScopedExpression>();
    groups.set(key, group);
    if (found.expression === '') issues.push(problem(found.path, 'must be an expression'));
    else if (found.expression.length > MAX_EXPRESSION_CHARACTERS)
      issues.push(problem(found.path, `an expression has at most ${MAX_EXPRESSION_CHARACTERS} characters`));
    else if (!group.has(found.expression)) group.set(found.expression, { ...found, variables });
  }
  for (const group of groups.values()) for (const batch of batchesOf([...group.values()])) check(batch);
  return issues.slice(0, MAX_REPORTED);

  function check(batch: readonly ScopedExpression[]): void {
    const [first] = batch;
    if (first === undefined || issues.length >= MAX_REPORTED) return;
    const message = complaint(batch, first.variables);
    if (message === undefined) return;
    if (batch.length === 1) {
      issues.push(problem(first.path, `invalid jq expression: ${message}`));
      return;
    }
    const half = Math.ceil(batch.length / 2);
    check(batch.slice(0, half));
    check(batch.slice(half));
  }

  function complaint(batch: readonly ScopedExpression[], variables: readonly string[]): string | undefined {
    const bindings = ['{} as $ENV |', ...variables.map((name) => `null as $${name} |`)].join(' ');
    const alternatives = batch.map(({ expression }) => `(\n${expression}\n)`).join(',');
    try {
      jq.run(`if true then null else (${bindings} ${alternatives}) end`, 'null');
      return undefined;
    } catch (error) {
      return readableMessage(error instanceof Error ? error.message : String(error), variables);
    }
  }
}

function batchesOf(expressions: readonly ScopedExpression[]): ScopedExpression[][] {
  const batches: ScopedExpression[][] = [];
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

/** Removes the positions from a message, because they refer to the generated program. */
function readableMessage(message: string, variables: readonly string[]): string {
  const [first = ''] = message.split('\n');
  return first
    .replace(/^jq: error(?: \(at [^)]*\))?: /, '')
    .replace(/ at <top-level>, line \d+.*$/, '')
    .replace(' (Unix shell quoting issues?)', '')
    .slice(0, 300)
    .concat(reasonOf(first, variables));
}

function reasonOf(message: string, variables: readonly string[]): string {
  const known = UNDEFINED.find(([name]) => message.includes(`${name} is not defined`));
  if (known !== undefined) return `: ${known[1]}`;
  if (!new RegExp(`\\$(?:${SCOPED}) is not defined`).test(message)) return '';
  const names = variables.map((name) => `$${name}`);
  return `: it is not available here; ${names.length === 0 ? 'there are no variables' : `available: ${names.join(', ')}`}`;
}
