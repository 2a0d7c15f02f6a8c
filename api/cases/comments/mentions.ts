/** Accounts that one comment mentions at most; further names stay text. */
export const MAX_MENTIONS = 20;

/** A name of an account after `@` that is not part of an address or a path. */
const MENTION = /(?<![\w@/.:-])@([A-Za-z0-9_-]{3,32})(?![\w@-])/g;
const CODE = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|`[^`\n]*`/g;

/** Names that a text mentions with `@`, each once, in their order; not those within code. */
export function mentionsOf(text: string): string[] {
  const plain = text.replaceAll(CODE, ' ');
  const names = new Map(Array.from(plain.matchAll(MENTION), ([, name = '']) => [name.toLowerCase(), name]));
  return [...names.values()].slice(0, MAX_MENTIONS);
}
