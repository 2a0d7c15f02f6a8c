const DIALOG = '[role="dialog"][aria-modal="true"]';
/** Elements that close when a dialog opens. They cannot receive the focus again. */
const TRANSIENT = `${DIALOG}, [role="menu"], [role="listbox"]`;

/**
 * Returns the focus to its previous element when a dialog closes. The dialogs of the component library do so only if
 * they are mounted before they open. Most dialogs of the console are mounted when they open.
 */
export function returnFocusOfDialogs(): void {
  const openers = new WeakMap<Element, HTMLElement>();
  let outside: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target, relatedTarget }) => {
    if (!(target instanceof HTMLElement)) return;
    if (target.closest(TRANSIENT) === null) outside = target;
    const dialog = target.closest(DIALOG);
    if (dialog === null || openers.has(dialog)) return;
    // A dialog inside a dialog: the focus moves from the outer one.
    const within = relatedTarget instanceof HTMLElement && relatedTarget.closest(DIALOG) !== null;
    const opener = within ? relatedTarget : outside;
    if (opener === undefined) return;
    openers.set(dialog, opener);
    whenRemoved(dialog, () => {
      if (isNowhere(document.activeElement) && opener.isConnected) opener.focus({ preventScroll: true });
    });
  });
}

const FIRST_FIELD = '[data-autofocus]';

/**
 * Focuses the first field of a dialog that loads it after the dialog has opened. Until then, the component library has
 * set the focus to the close button. The focus stays there if the user has pressed a key or a pointer button.
 */
export function focusLateFields(): void {
  document.addEventListener('focusin', ({ target, relatedTarget }) => {
    if (!(target instanceof HTMLElement)) return;
    const dialog = target.closest(DIALOG);
    if (dialog === null || dialog.contains(relatedTarget as Node | null)) return;
    if (dialog.querySelector(FIRST_FIELD) !== null) return;
    const stop = new AbortController();
    const observer = new MutationObserver(() => {
      const field = dialog.querySelector<HTMLElement>(FIRST_FIELD);
      if (field === null && dialog.isConnected) return;
      stop.abort();
      if (document.activeElement === target) field?.focus();
    });
    stop.signal.addEventListener('abort', () => observer.disconnect());
    for (const kind of ['keydown', 'pointerdown'] as const)
      document.addEventListener(kind, () => stop.abort(), { capture: true, signal: stop.signal });
    observer.observe(dialog, { childList: true, subtree: true });
  });
}

function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body;
}

function whenRemoved(element: Element, done: () => void): void {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    done();
  });
  // The component library renders dialogs into a child of the body, its portal, which is removed with the last dialog.
  const portal = element.closest('[data-portal]');
  if (portal !== null) observer.observe(portal, { childList: true, subtree: true });
  observer.observe(document.body, { childList: true });
}
