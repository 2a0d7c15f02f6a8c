import { PARTS_TEXT } from './text.ts';
import { visible } from './visible.ts';

/**
 * Returns the name of the actor of a change, as the API provides it. Without a name, for example for a deleted account,
 * returns the actor itself, such as `user:…`.
 */
export function actorName<Actor extends string | null>(actor: Actor, name: string | null): string | Actor {
  if (name !== null) return visible(name);
  return actor === 'operator' ? PARTS_TEXT.operator : actor;
}
