// Runs in the browser, at /auth/reset-password.
const form = document.getElementById('form');
const password = document.getElementById('password');
const again = document.getElementById('again');
const send = document.getElementById('send');
const outcome = document.getElementById('outcome');
const ask = document.getElementById('ask');

const token = new URLSearchParams(location.search).get('token');
// Removed from the address bar and the history, so that neither keeps the token.
history.replaceState(null, '', location.pathname);

if (token) form.hidden = false;
else {
  show('This link is not complete. Open it again from the mail.', { wrong: true });
  ask.hidden = false;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (password.value !== again.value) {
    show('The two passwords differ.', { wrong: true });
    again.focus();
    return;
  }
  send.disabled = true;
  show('One moment …');
  await setPassword();
  send.disabled = false;
});

function show(text, { wrong = false } = {}) {
  outcome.textContent = text;
  outcome.toggleAttribute('data-wrong', wrong);
}

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
      show(body.message);
      document.getElementById('sign-in').focus();
      return;
    }
    const [issue] = body.issues;
    ask.hidden = issue.field !== 'token';
    show(sentence(issue), { wrong: true });
  } catch {
    show('The server does not answer. Try again in a moment.', { wrong: true });
  }
}

function sentence({ field, message }) {
  if (field === 'password') return `This password can't be used: it ${message}.`;
  return `${message[0].toUpperCase()}${message.slice(1)}.`;
}
