// Runs in the browser, at /auth/reset-password.
import { openForm, post, show, takeToken } from './link-form.js';

const form = document.getElementById('form');
const password = document.getElementById('password');
const again = document.getElementById('again');
const ask = document.getElementById('ask');
const token = takeToken();

if (token) openForm(setPassword);
else {
  show('This link is incomplete. Open it again from the e-mail.', { wrong: true });
  ask.hidden = false;
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
      },
    },
  );
}
