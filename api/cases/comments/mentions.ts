/** Maximum number of accounts that one comment mentions; further names stay text. */
export const MAX_MENTIONS = 20;

/** An account name after `@` that is not part of an e-mail address or a path. */
const MENTION = /(?<![\w@/.:-])@([A-Za-z0-9_-]{3,32})(?![\w@-])/g;
const CODE = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|`[^`\n]*`/g;

/** Returns the names that a text mentions with `@`, outside of code, without duplicates and in order. */
export function mentionsOf(text: string): string[] {
  const plain = text.replaceAll(CODE, ' ');
  const names = new Map(Array.from(plain.matchAll(MENTION), ([, name = '']) => [name.toLowerCase(), name]));
  return [...names.values()].slice(0, MAX_MENTIONS);
}
