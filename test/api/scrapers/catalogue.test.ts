import { expect, test } from 'vitest';
import { featureSchema, scraperCatalogue } from '#api/scrapers/catalogue.ts';
import { SCRAPERS } from '#api/scrapers/scrapers.ts';

test('the catalogue matches the scrapers', () => {
  const features = scraperCatalogue(SCRAPERS);
  expect(features.map(({ id, method, path, cacheSeconds }) => [id, method, path, cacheSeconds])).toEqual([
    ['codehost.user', 'GET', '/api/codehost/user', 600],
    ['codehost.repos', 'GET', '/api/codehost/repos', 300],
    ['codehost.repo', 'GET', '/api/codehost/repo', 300],
  ]);
  for (const feature of features) expect(featureSchema.parse(feature)).toEqual(feature);
});

test('parameters have type, default and permitted values', () => {
  const repos = scraperCatalogue(SCRAPERS).find(({ id }) => id === 'codehost.repos');
  expect(repos?.parameters).toMatchObject([
    { name: 'username', in: 'query', required: true, type: 'string' },
    { name: 'page', required: false, type: 'integer', default: 1 },
    { name: 'perPage', required: false, type: 'integer', default: 30 },
    {
      name: 'sort',
      required: false,
      type: 'string',
      default: 'full_name',
      enum: ['created', 'updated', 'pushed', 'full_name'],
    },
  ]);
});

test('no two scrapers share a name or an address', () => {
  for (const member of ['id', 'path'] as const)
    expect(new Set(SCRAPERS.map((scraper) => scraper[member])).size).toBe(SCRAPERS.length);
});
