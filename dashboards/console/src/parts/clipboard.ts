import { showDone, showFailure } from './show-failure.tsx';
import { PARTS_TEXT } from './text.ts';

/** Copies a text to the clipboard and confirms it. */
export function copyText(text: string): void {
  // The clipboard requires a secure context.
  const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error(PARTS_TEXT.copy.unavailable));
  written.then(
    () => showDone(PARTS_TEXT.copy.done),
    () => showFailure(PARTS_TEXT.copy.unavailable),
  );
}
