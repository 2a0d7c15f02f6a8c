import { isLanguage, type Language } from './languages.ts';

const KEY = 'trapline-language';

/** Returns the language that the user chose in this browser; null for the browser's language. */
export function keptLanguage(): Language | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept !== null && isLanguage(kept) ? kept : null;
  } catch {
    return null; // Browsers that block site data throw.
  }
}

/** Stores the choice in this browser and reloads the console, because texts are read when its modules are loaded. */
export function switchLanguage(language: Language | null): void {
  if (language === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, language);
  location.reload();
}
