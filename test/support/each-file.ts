import { afterAll } from 'vitest';
import { endAll } from './at-end.ts';

// Vitest loads this setup file before each test file. Hooks run in reverse order, so this one runs last.
afterAll(endAll);
