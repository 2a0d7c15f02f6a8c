/** Result of a path check: the path in Unicode form NFC, or the reason for the refusal, as a message for the sender. */
export type CheckedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

const MAX_BYTES = 512;
const MAX_SEGMENT_BYTES = 255;
const MAX_DEPTH = 16;
/**
 * Characters that some file systems forbid in names, control characters, and characters that change the text direction.
 */
const FORBIDDEN = /[\p{Cc}<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * Validates a relative path with `/` as separator. Contents are not stored under it. It is validated because users
 * unpack workspaces, and because similar names mislead users.
 */
export function checkPath(text: string): CheckedPath {
  const refused = (reason: string): CheckedPath => ({ ok: false, reason });
  if (!text.isWellFormed()) return refused('is not well-formed Unicode');
  const path = text.normalize('NFC');
  if (path === '') return refused('is empty');
  if (path.includes('\0')) return refused('contains NUL');
  if (path.includes('\\')) return refused('contains a backslash');
  if (path.startsWith('/')) return refused('is absolute');
  if (Buffer.byteLength(path) > MAX_BYTES) return refused(`is longer than ${MAX_BYTES} bytes`);
  if (FORBIDDEN.test(path)) return refused('contains a character that is not permitted in names');
  const segments = path.split('/');
  if (segments.length > MAX_DEPTH) return refused(`is deeper than ${MAX_DEPTH} folders`);
  for (const segment of segments) {
    const reason = segmentRefusal(segment);
    if (reason !== undefined) return refused(reason);
  }
  // NFKC normalisation turns full-width dots and slashes into ASCII.
  const compatible = path.normalize('NFKC').split('/');
  if (compatible.length !== segments.length || compatible.some((segment) => segmentRefusal(segment) !== undefined)) {
    return refused('contains a character that looks like another one');
  }
  return { ok: true, path };
}

function segmentRefusal(segment: string): string | undefined {
  if (segment === '') return 'has an empty segment';
  if (segment === '.' || segment === '..') return 'leads elsewhere';
  if (segment !== segment.trim() || segment.endsWith('.')) return 'has a segment with a space or dot at its end';
  if (segment.includes('\\')) return 'contains a backslash';
  if (RESERVED.test(segment)) return 'has a segment with a reserved name';
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a segment of more than ${MAX_SEGMENT_BYTES} bytes`;
  return undefined;
}

/** Returns a key that is equal for paths that clash: it ignores case and compatible forms of characters. */
export function clashKey(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/**
 * Returns the first path that equals an earlier path, or that is a directory of one. Returns undefined if there is no
 * clash.
 */
export function findClash(paths: Iterable<string>): string | undefined {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const key = clashKey(path);
    const segments = key.split('/');
    const above = segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
    if (files.has(key) || folders.has(key) || above.some((folder) => files.has(folder))) return path;
    files.add(key);
    for (const folder of above) folders.add(folder);
  }
  return undefined;
}
