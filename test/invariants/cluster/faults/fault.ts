import type { Actor } from '../actor.ts';
import type { Installation } from '../installation.ts';
import type { PlannedFault } from './plan.ts';

/** Applies one fault. Resolves when it is over and the targets serve again. */
export type Apply = (fault: PlannedFault, actors: readonly Actor[], installation: Installation) => Promise<void>;
