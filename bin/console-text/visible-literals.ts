import { parseSync } from 'oxc-parser';

/** A string literal that the console displays, written in a component instead of a text catalogue. */
export interface VisibleLiteral {
  readonly line: number;
  readonly text: string;
}

/** JSX attributes, properties of objects and functions whose text is displayed. */
const SHOWN_NAMES = new Set([
  'action',
  'alt',
  'columns',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'confirm',
  'consequence',
  'description',
  'dismiss',
  'does',
  'empty',
  'error',
  'example',
  'facts',
  'header',
  'heading',
  'hint',
  'keepText',
  'label',
  'legend',
  'message',
  'noun',
  'nothingFoundMessage',
  'placeholder',
  'question',
  'subtitle',
  'summary',
  'text',
  'title',
  'tooltip',
  'unit',
  'unseen',
  'what',
]);
const SHOWN_BY = new Set(['counted', 'showDone', 'showFailure']);

const WORD = /\p{L}/u;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Returns the visible literals of a component, in order. Throws if the source cannot be parsed. */
export function visibleLiterals(file: string, source: string): VisibleLiteral[] {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const found = new Map<number, VisibleLiteral>();

  function report(start: number, raw: string): void {
    const text = raw.replace(/\s+/g, ' ').trim();
    const place = start + (raw.length - raw.trimStart().length);
    if (WORD.test(text)) found.set(start, { line: source.slice(0, place).split('\n').length, text });
  }

  /** Reports the literals that an expression can evaluate to or join into its result. */
  function inspect(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) inspect(item);
    if (!isNode(value)) return;
    if (value.type === 'Literal' && typeof value.value === 'string') report(value.start, value.value);
    if (value.type === 'TemplateLiteral') report(value.start, templateText(value));
    for (const child of resultsOf(value)) inspect(child);
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isNode(value)) return;
    if (value.type === 'JSXText') report(value.start, String(value.value));
    for (const shown of shownBy(value)) inspect(shown);
    for (const child of Object.values(value)) visit(child);
  }

  visit(program);
  return [...found].sort(([a], [b]) => a - b).map(([, literal]) => literal);
}

/** Returns the expressions whose result a node displays. */
function shownBy(node: Node): readonly unknown[] {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return (node.children as Node[]).filter(({ type }) => type === 'JSXExpressionContainer');
    case 'JSXAttribute':
      return SHOWN_NAMES.has(nameOf(node.name)) ? [node.value] : [];
    case 'Property':
      return SHOWN_NAMES.has(nameOf(node.key)) ? [node.value] : [];
    case 'CallExpression':
      return SHOWN_BY.has(nameOf(node.callee)) ? [node.arguments] : [];
    default:
      return [];
  }
}

/** Returns the parts of an expression that can become its result. Conditions and call arguments cannot. */
function resultsOf(node: Node): readonly unknown[] {
  switch (node.type) {
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return [node.expression];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate];
    case 'LogicalExpression':
      return node.operator === '&&' ? [node.right] : [node.left, node.right];
    case 'BinaryExpression':
      return node.operator === '+' ? [node.left, node.right] : [];
    case 'TemplateLiteral':
      return [node.expressions];
    case 'ArrayExpression':
      return [node.elements];
    case 'SpreadElement':
      return [node.argument];
    case 'ArrowFunctionExpression':
      return [node.body];
    default:
      return [];
  }
}

function templateText(node: Node): string {
  return (node.quasis as { readonly value: { readonly raw: string } }[]).map(({ value }) => value.raw).join('…');
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  return String(node.name ?? node.value ?? '');
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
