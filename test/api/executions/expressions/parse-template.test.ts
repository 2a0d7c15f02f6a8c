import { describe, expect, it } from 'vitest';
import { bareExpression, parseTemplate } from '#api/executions/expressions/parse-template.ts';

describe('parseTemplate', () => {
  it.each(['plain', '$x', '{ }', '${ never closed', '${ ( } )', '${ "open }', '$ { .a }'])(
    'takes %s for a literal',
    (source) => expect(parseTemplate(source)).toEqual({ kind: 'literal' }),
  );

  it.each([
    ['${ .a }', '.a'],
    ['  ${.a}\n', '.a'],
    ['${ {a: {b: 1}} }', '{a: {b: 1}}'],
    ['${ "}" }', '"}"'],
    ['${ "\\"}" }', '"\\"}"'],
    ['${ "a \\("}" + "\\({b: 1})") }" }', '"a \\("}" + "\\({b: 1})") }"'],
    ['${ .a # } no\n }', '.a # } no'],
  ])('takes %s for one expression', (source, expression) => {
    expect(parseTemplate(source)).toEqual({ kind: 'expression', expression });
    expect(bareExpression(source)).toBe(expression);
  });

  it('finds expressions in a text', () => {
    expect(parseTemplate('Hello ${ .name }, ${ "}" }!')).toEqual({
      kind: 'text',
      parts: [{ text: 'Hello ' }, { expression: '.name' }, { text: ', ' }, { expression: '"}"' }, { text: '!' }],
    });
    expect(parseTemplate('${ .a } ${ .b }')).toEqual({
      kind: 'text',
      parts: [{ expression: '.a' }, { text: ' ' }, { expression: '.b' }],
    });
  });

  it('leaves an expression without braces as it is', () => {
    expect(bareExpression(' .a | {b: .} ')).toBe('.a | {b: .}');
  });
});
