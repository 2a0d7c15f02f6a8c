import { expect, test } from 'vitest';
import { describedEvent } from '#schemas/events/described.ts';
import { eventV1Schema } from '#schemas/events/versions/v1.ts';

const text = JSON.stringify(describedEvent());

test('the event is described in the words of OpenAPI 3.0', () => {
  expect(text).not.toMatch(/"(?:const|\$schema|\$id|\$ref|discriminator)":/);
  expect(text).not.toContain('"type":[');
  expect(describedEvent()).toMatchObject({
    type: 'object',
    required: ['version', 'timestamp', 'event'],
    properties: {
      version: { enum: ['V1'] },
      timestamp: { type: 'string', format: 'date-time' },
      hostname: { type: 'string', nullable: true },
    },
  });
});

test('with every kind of event and its required fields', () => {
  const { event } = describedEvent().properties as { event: { oneOf: { required: string[] }[] } };
  expect(event.oneOf.map(({ required }) => required)).toEqual(
    eventV1Schema.properties.event.oneOf.map(({ required }) => required),
  );
});
