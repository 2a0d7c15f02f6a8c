import { type Answering, documented } from '#test/support/services/code-host-api.ts';
import { startWebServer } from '../outbound/web-server.ts';

/**
 * A server with the documented REST API of the code host: the user octocat with 3 repositories, and no other user.
 * `answer` temporarily replaces it.
 */
export async function startCodeHost() {
  const state: { answer: Answering | undefined } = { answer: undefined };
  const { port, requests } = await startWebServer((request, response) => {
    (state.answer ?? documented)(request, response);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Replaces its responses; without an argument, restores the documented ones. */
    answerWith(answer?: Answering) {
      state.answer = answer;
    },
  };
}

export type CodeHostServer = Awaited<ReturnType<typeof startCodeHost>>;
