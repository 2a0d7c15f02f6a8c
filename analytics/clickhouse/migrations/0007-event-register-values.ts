import { eventRegisters } from './0004-event-registers.ts';
import type { Migration } from './migration.ts';

/** The same for databases whose index of registers is the first one there was. */
export const eventRegisterValues: Migration = { number: 7, name: 'event-register-values', run: eventRegisters.run };
