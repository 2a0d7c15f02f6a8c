// Creates the class archive of the schema registry. Plain JavaScript: it runs at installation, on the machine's own
// Node.
import { makeClassArchive } from './class-archive.mjs';
import { freePorts } from './free-ports.mjs';

/** Subject of the schema that the training registers. */
const SUBJECT = 'training-value';
const ANSWER_MS = 20_000;

/** @param {string} jar the registry's program @param {string} archive file to make */
export async function trainRegistry(jar, archive) {
  await makeClassArchive(archive, async () => {
    const [port] = await freePorts(1);
    const url = `http://127.0.0.1:${port}/apis/ccompat/v7`;
    const get = async (path) => {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(ANSWER_MS) });
      await response.arrayBuffer();
      return response.ok;
    };
    return {
      args: ['-Xmx256m', '-Dquarkus.http.host=127.0.0.1', `-Dquarkus.http.port=${port}`, '-jar', jar],
      serves: () => get('/subjects').catch(() => false),
      async use() {
        const schema = JSON.stringify({ type: 'record', name: 'Training', fields: [{ name: 'id', type: 'long' }] });
        const response = await fetch(`${url}/subjects/${SUBJECT}/versions`, {
          method: 'POST',
          signal: AbortSignal.timeout(ANSWER_MS),
          headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
          body: JSON.stringify({ schema }),
        });
        const { id } = await response.json();
        await get(`/schemas/ids/${id}`);
      },
    };
  });
}
