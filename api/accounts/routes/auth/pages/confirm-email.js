// Runs in the browser, at /auth/confirm-email. A button confirms: programs that check mails open links too.
import { openForm, post, show, takeToken } from './link-form.js';
import { translate } from './link-texts.js';

const form = document.getElementById('form');
const token = takeToken();

if (token) openForm(confirmAddress);
else show('This link is incomplete. Open it again from the e-mail.', { wrong: true });

async function confirmAddress() {
  await post(
    '/api/auth/confirm-email',
    { token },
    {
      onDone({ email }) {
        form.hidden = true;
        show(`${translate('The address of your account is now')} ${email}.`);
        document.getElementById('profile').focus();
      },
      onIssue() {},
    },
  );
}
