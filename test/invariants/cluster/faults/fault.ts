import type { Actor } from '../actor.ts';
import type { Installation } from '../installation.ts';
import type { PlannedFault } from './plan.ts';

/** Does one fault, and resolves when it is over and the targets serve again. */
export type Apply = (fault: PlannedFault, actors: readonly Actor[], installation: Installation) => Promise<void>;
