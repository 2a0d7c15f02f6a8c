import { expect, test } from 'vitest';
import { lintErrors } from '#test/support/services/openapi-linters.ts';
import { useDescriptions } from './use-descriptions.ts';

/** The linters are installed from npm at the first run. */
const INSTALL_MS = 300_000;
const descriptions = await useDescriptions();

test(
  'redocly and spectral accept the descriptions, and report an error in an invalid one',
  async () => {
    const response = { 200: { description: 'Found' } };
    const paths = { '/a/{id}': { get: { responses: response } } };
    const wrong = { openapi: '3.0.3', info: { title: 'Wrong', version: '1' }, paths };
    const errors = await lintErrors({ ...descriptions, wrong: JSON.stringify(wrong) });
    expect(errors.filter(({ description }) => description !== 'wrong')).toEqual([]);
    expect([...new Set(errors.map(({ linter }) => linter))].sort()).toEqual(['redocly', 'spectral']);
  },
  INSTALL_MS,
);
