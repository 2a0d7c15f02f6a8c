import { afterAll } from 'vitest';
import { endAll } from './at-end.ts';

// Vitest runs this before each test file, so that its hook is the last of them.
afterAll(endAll);
