import { expect, test } from 'vitest';
import { isOfType } from '#analytics/detections/event-type.ts';
import type { EventType } from '#schemas/events/event.ts';

/** Lists every type, so that a new one fails the type check here. */
const TYPES: Readonly<Record<EventType['type'], true>> = {
  LinuxKernelTrap: true,
  LinuxFatalSignal: true,
  LinuxSuppressedCallback: true,
  RegisterProbe: true,
  ConfigMismatch: true,
};

test('an event is of its own type only', () => {
  const names = Object.keys(TYPES) as EventType['type'][];
  for (const type of names) expect(names.filter((name) => isOfType({ type } as EventType, name))).toEqual([type]);
});
