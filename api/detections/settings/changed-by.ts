import type { RequestOrigin } from '#api/http/request-origin.ts';

/** The actor of a change of settings. */
export interface SettingsChangedBy {
  /** See `actorOf`. */
  readonly actor: string;
  readonly origin: RequestOrigin;
}
