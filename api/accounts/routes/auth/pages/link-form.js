// Shared by the pages that links lead to. Runs in the browser, at /auth/link-form.js.
import { translate } from './link-texts.js';

const form = document.getElementById('form');
const send = document.getElementById('send');
const outcome = document.getElementById('outcome');

translatePage();

/** The pages are written in English; browsers with another language of the console show them in that. */
function translatePage() {
  document.title = translate(document.title);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = translate(texts.currentNode.data);
}

/** The token of the link; null without one. It is removed from the address bar and the history, so that neither keeps it. */
export function takeToken() {
  const token = new URLSearchParams(location.search).get('token');
  history.replaceState(null, '', location.pathname);
  return token;
}

/** Shows the form. `submit` is called each time it is sent; until it has ended, the form cannot be sent again. */
export function openForm(submit) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    await submit();
    send.disabled = false;
  });
}

export function show(text, { wrong = false } = {}) {
  outcome.textContent = translate(text);
  outcome.toggleAttribute('data-wrong', wrong);
}

/** Sends a request; calls `onDone` with what a successful response holds, else shows the issue and calls `onIssue` with it. */
export async function post(path, body, { onDone, onIssue }) {
  show('Please wait…');
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) {
      onDone(answer);
      return;
    }
    const [issue] = answer.issues;
    show(sentence(issue), { wrong: true });
    onIssue(issue);
  } catch {
    show("Can't reach the server. Retry in a moment.", { wrong: true });
  }
}

function sentence({ field, message }) {
  if (field === 'password' && /^(?:is|repeats|contains) /.test(message))
    return `This password can't be used: it ${message}.`;
  return `${message[0].toUpperCase()}${message.slice(1)}.`;
}
