import { PARTS_TEXT } from './text.ts';
import { visible } from './visible.ts';

/** Who made a change, such as `user:…`, by the name that the API gives. Without a name, as for an account that was deleted, the actor stands as it is. */
export function actorName<Actor extends string | null>(actor: Actor, name: string | null): string | Actor {
  if (name !== null) return visible(name);
  return actor === 'operator' ? PARTS_TEXT.operator : actor;
}
