// Runs in the browser, at /auth/set-up.
const form = document.getElementById('form');
const send = document.getElementById('send');
const outcome = document.getElementById('outcome');

const token = new URLSearchParams(location.search).get('token');
// Removed from the address bar and the history, so that neither keeps the token.
history.replaceState(null, '', location.pathname);

if (token) {
  form.hidden = false;
  document.getElementById('email').focus();
} else show('This link is not complete. Copy it again from the output of trapline start.', { wrong: true });

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  send.disabled = true;
  show('One moment …');
  await setUp();
  send.disabled = false;
});

function show(text, { wrong = false } = {}) {
  outcome.textContent = text;
  outcome.toggleAttribute('data-wrong', wrong);
}

async function setUp() {
  const [email, username, password] = ['email', 'username', 'password'].map((id) => document.getElementById(id).value);
  try {
    const response = await fetch('/api/auth/set-up', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, email, username, password }),
    });
    const body = await response.json();
    if (response.ok) {
      location.assign('/');
      return;
    }
    const [issue] = body.issues;
    show(sentence(issue), { wrong: true });
    document.getElementById(issue.field)?.focus();
  } catch {
    show('The server does not answer. Try again in a moment.', { wrong: true });
  }
}

function sentence({ field, message }) {
  if (field === 'password') return `This password can't be used: it ${message}.`;
  return `${message[0].toUpperCase()}${message.slice(1)}.`;
}
