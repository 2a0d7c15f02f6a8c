// Runs in the browser, at /auth/reset-password.
const form = document.getElementById('form');
const password = document.getElementById('password');
const again = document.getElementById('again');
const send = document.getElementById('send');
const outcome = document.getElementById('outcome');

const token = new URLSearchParams(location.search).get('token');
// Out of the address bar and the history: whoever looks at either later finds no token.
history.replaceState(null, '', location.pathname);

if (token) form.hidden = false;
else outcome.textContent = 'This link is not complete. Open it again from the mail.';

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (password.value !== again.value) {
    outcome.textContent = 'The two passwords differ.';
    again.focus();
    return;
  }
  send.disabled = true;
  outcome.textContent = 'One moment …';
  outcome.textContent = await setPassword();
  send.disabled = false;
});

/** Resolves to what to tell the person. */
async function setPassword() {
  try {
    const response = await fetch('/api/auth/reset-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password: password.value }),
    });
    const body = await response.json();
    if (response.ok) {
      form.hidden = true;
      return body.message;
    }
    const [issue] = body.issues;
    return issue.field === 'password' ? `This password can't be used: it ${issue.message}.` : `${issue.message}.`;
  } catch {
    return 'The server does not answer. Try again in a moment.';
  }
}
