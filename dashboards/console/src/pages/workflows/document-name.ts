/** `document:` and its lines up to the name, which stands further in. */
const NAME = /^(document:[ \t]*\n(?:[ \t]+[^\n]*\n)*?[ \t]+name:[ \t]*)[\w-]+[ \t]*$/m;

/** The definition with this name in `document.name`. Without such a line, in flow style for example, and for an empty name, it stays as it is. */
export function withDocumentName(text: string, name: string): string {
  return name === '' ? text : text.replace(NAME, (_, before: string) => `${before}${name}`);
}
