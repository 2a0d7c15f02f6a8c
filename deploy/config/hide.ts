export const HIDDEN = '***';

/** Replaces credentials inside a URL or a `user:password@host`; the rest stays readable. */
export function hideCredentials(text: string): string {
  // Greedy up to the last @ before a separator, because a password may contain an @.
  return text
    .replace(/(\/\/|^|,)[^/\s,]*@/g, `$1${HIDDEN}@`)
    .replace(/([?&][^=&\s]*(?:password|secret|token|key)[^=&\s]*=)[^&\s]*/gi, `$1${HIDDEN}`);
}
