// Runs in the browser, at /auth/set-up.
import { openForm, post, show, takeToken } from './link-form.js';

const token = takeToken();

if (token) {
  openForm(setUp);
  document.getElementById('email').focus();
} else show('This link is incomplete. Copy it again from the output of trapline start.', { wrong: true });

async function setUp() {
  const [email, username, password] = ['email', 'username', 'password'].map((id) => document.getElementById(id).value);
  await post(
    '/api/auth/set-up',
    { token, email, username, password },
    {
      onDone: () => location.assign('/'),
      onIssue: ({ field }) => document.getElementById(field)?.focus(),
    },
  );
}
