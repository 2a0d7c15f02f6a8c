import { Cron } from 'croner';

/** A pattern of five fields, or six with seconds first, in UTC. Throws for an invalid pattern. */
export function cronOf(pattern: string): Cron {
  return new Cron(pattern, { timezone: 'UTC' });
}
