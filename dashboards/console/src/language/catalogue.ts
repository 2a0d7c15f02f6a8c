/**
 * Texts in the shape of an English catalogue: the same keys, lists of the same length, functions with the same
 * parameters. A missing or extra key is a type error.
 */
export type Translation<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translation<Result>
    : { readonly [Key in keyof Text]: Translation<Text[Key]> };

let translations: Readonly<Record<string, unknown>> = {};

/** Sets the translations by catalogue name. Must be called before modules with catalogues are loaded. */
export function setTranslations(byName: Readonly<Record<string, unknown>>): void {
  translations = byName;
}

/** Returns the texts of a section in the language of the console: `english`, or its translation. Names are unique. */
export function catalogue<const Texts>(name: string, english: Texts): Texts {
  return (translations[name] as Texts | undefined) ?? english;
}
