export const HIDDEN = '***';

/** Credentials inside a URL or a `user:password@host` are replaced; the rest stays readable. */
export function hideCredentials(text: string): string {
  // Greedy up to the last @ before a separator: a password may itself hold an @.
  return text
    .replace(/(\/\/|^|,)[^/\s,]*@/g, `$1${HIDDEN}@`)
    .replace(/([?&][^=&\s]*(?:password|secret|token|key)[^=&\s]*=)[^&\s]*/gi, `$1${HIDDEN}`);
}
