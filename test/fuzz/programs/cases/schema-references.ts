import type { Template } from './case.ts';
import { chain, conditional, doubledProperties, doubledReferences, template, wrapped } from './schema-text.ts';
import { nested, randomJson } from './values.ts';

/** Schemas with references to themselves, to missing schemas, or to more schemas than can be checked. */
export const REFERENCES: readonly Template[] = [
  template('recursive', (random) => ({
    schema: {
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    },
    input: chain(random.between(1, 90)),
  })),
  template('recursive-root', (random) => ({
    schema: { properties: { a: { $ref: '#' } } },
    input: nested(random.between(1, 90), random),
  })),
  template('refers-to-itself', () => ({ schema: { $ref: '#' } })),
  template('refers-in-a-circle', () => ({
    schema: { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
  })),
  template('refers-nowhere', (random) => ({
    schema: {
      $ref: random.pick([
        '#/nowhere',
        'http://127.0.0.1:1/x',
        'file:///etc/passwd',
        '#/$defs/%',
        '',
        '#/%2e%2e',
        'a'.repeat(5000),
      ]),
    },
  })),
  template('doubled-references', (random) => ({
    schema: doubledReferences(random.between(3, 16), 'allOf'),
    input: randomJson(random),
  })),
  template(
    'exponential-references',
    (random) => ({
      schema: doubledReferences(random.between(22, 60), random.pick(['allOf', 'anyOf', 'oneOf'])),
      input: 1,
    }),
    true,
  ),
  template(
    'exponential-properties',
    (random) => ({ schema: doubledProperties(random.between(18, 40)), input: chain(60) }),
    true,
  ),
  template(
    'exponential-recursion',
    () => ({
      schema: {
        $defs: {
          n: {
            anyOf: [
              { properties: { next: { $ref: '#/$defs/n' } }, required: ['x'] },
              { properties: { next: { $ref: '#/$defs/n' } }, required: ['y'] },
            ],
          },
        },
        $ref: '#/$defs/n',
      },
      input: chain(60),
    }),
    true,
  ),
];

/** Deeply nested schemas. */
export const DEEP_SCHEMAS: readonly Template[] = [
  template('deep-all-of', (random) => ({
    schema: wrapped(random.between(5, 46), (inner) => ({ allOf: [inner] })),
    input: 1,
  })),
  template('deep-not', (random) => ({ schema: wrapped(random.between(5, 90), (inner) => ({ not: inner })), input: 1 })),
  template('deep-properties', (random) => ({
    schema: wrapped(random.between(5, 45), (inner) => ({ properties: { a: inner } })),
    input: nested(45, random),
  })),
  template('doubled-all-of', (random) => ({
    schema: wrapped(random.between(3, 11), (inner) => ({ allOf: [inner, inner] })),
    input: randomJson(random),
  })),
  template('doubled-any-of', (random) => ({
    schema: wrapped(random.between(3, 11), (inner) => ({ anyOf: [{ allOf: [inner, { not: {} }] }, inner] })),
    input: 'x',
  })),
  template('if-then-else', (random) => ({
    schema: wrapped(random.between(3, 9), conditional),
    input: randomJson(random),
  })),
];
