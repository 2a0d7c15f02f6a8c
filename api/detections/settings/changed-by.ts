import type { RequestOrigin } from '#api/http/request-origin.ts';

/** Who changes settings. */
export interface SettingsChangedBy {
  /** See `actorOf`. */
  readonly actor: string;
  readonly origin: RequestOrigin;
}
