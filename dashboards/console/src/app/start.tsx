import './nonce.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { restoreTimeZone } from '../parts/time/time-zone.ts';
import { App } from './app.tsx';
import { focusLateFields, returnFocusOfDialogs } from './dialog-focus.ts';
import { logCaughtError } from './page-leave.ts';
import { renameLoadErrors } from './page-load-error.ts';
import { router } from './router.ts';

/** Renders the console. */
export function start(): void {
  renameLoadErrors();
  restoreTimeZone(localStorage);
  returnFocusOfDialogs();
  focusLateFields();
  const unsubscribe = router.subscribe('onRendered', () => {
    unsubscribe();
    document.getElementById('start')?.remove();
    dispatchEvent(new Event('trapline:started'));
  });
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no element #root');
  createRoot(root, { onCaughtError: logCaughtError }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
