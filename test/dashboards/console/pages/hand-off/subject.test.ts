import { expect, test } from 'vitest';
import { schemaWithSubject } from '#dashboards/console/src/pages/hand-off/subject.ts';

test('prefills inputs named after the subject if the type matches', () => {
  const properties = {
    detection: { type: 'string' },
    detections: { type: 'array', items: { type: 'string' } },
    id: { type: 'integer' },
    host: { type: 'string' },
  };
  const schema = { type: 'object', properties };
  expect(schemaWithSubject(schema, { kind: 'detections', id: 'det_1' })).toEqual({
    type: 'object',
    properties: {
      ...properties,
      detection: { type: 'string', default: 'det_1' },
      detections: { ...properties.detections, default: ['det_1'] },
    },
  });
  expect(schemaWithSubject(schema, { kind: 'cases', id: 'case_1', detections: ['det_1', 'det_2'] })).toMatchObject({
    properties: { detection: { default: 'det_1' }, detections: { default: ['det_1', 'det_2'] } },
  });
});

test('prefills inputs named after host, program or rule of a detection, unless unknown', () => {
  const properties = { hostname: { type: 'string' }, program: { type: 'string' }, rule: { type: 'integer' } };
  const facts = { hostname: 'web-1', program: null, rule: 'stack-canary-probe' };
  expect(schemaWithSubject({ type: 'object', properties }, { kind: 'detections', id: 'det_1', facts })).toMatchObject({
    properties: { ...properties, hostname: { type: 'string', default: 'web-1' } },
  });
});

test('without a schema, the input contains the id', () => {
  expect(schemaWithSubject(undefined, { kind: 'detections', id: 'det_1' })).toEqual({
    default: { detection: 'det_1' },
  });
  expect(schemaWithSubject({ type: 'string' }, { kind: 'cases', id: 'case_1' })).toEqual({
    default: { case: 'case_1', detections: [] },
  });
});
