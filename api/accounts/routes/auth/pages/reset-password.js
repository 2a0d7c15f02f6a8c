// Runs in the browser, at /auth/reset-password.
import { openForm, post, show, takeToken } from './link-form.js';

const form = document.getElementById('form');
const password = document.getElementById('password');
const again = document.getElementById('again');
const ask = document.getElementById('ask');
const token = takeToken();

if (token) await openLink();
else {
  show('This link is incomplete. Open it again from the e-mail.', { wrong: true });
  ask.hidden = false;
}

/** Shows the form, unless the link was used: then it would ask for a password that cannot be set. */
async function openLink() {
  let used = false;
  await post(
    '/api/auth/reset-password/check',
    { token },
    {
      onDone({ valid }) {
        used = !valid;
        show(used ? 'This link was used before or has expired. Request a new one.' : '', { wrong: used });
      },
      onIssue({ field }) {
        used = field === 'token';
      },
    },
  );
  ask.hidden = !used;
  if (!used) openForm(setPassword);
}

async function setPassword() {
  if (password.value !== again.value) {
    show('The passwords do not match.', { wrong: true });
    again.focus();
    return;
  }
  await post(
    '/api/auth/reset-password',
    { token, password: password.value },
    {
      onDone({ message }) {
        form.hidden = true;
        show(message);
        document.getElementById('sign-in').focus();
      },
      onIssue({ field }) {
        ask.hidden = field !== 'token';
        form.hidden = field === 'token';
      },
    },
  );
}
