import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MANIFEST } from './manifest.ts';
import { runProgram } from './run-program.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds the tarball of the npm package, which has no dependencies: \`npx ./FILE\` runs it. Returns its path. */
export async function buildNpmPackage(options: {
  readonly bundle: string;
  readonly output: string;
  readonly scratch: string;
}): Promise<string> {
  const folder = join(options.scratch, 'npm');
  const program = join(folder, `${MANIFEST.name}.cjs`);
  await mkdir(folder, { recursive: true });
  await copyFile(options.bundle, program);
  await chmod(program, 0o755);
  for (const name of ['LICENSE', 'NOTICE']) await copyFile(join(ROOT, name), join(folder, name));
  await writeFile(join(folder, 'README.md'), README);
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify(
      {
        name: '@trapline/detector',
        version: MANIFEST.version,
        description: MANIFEST.summary,
        license: MANIFEST.license,
        bin: { [MANIFEST.name]: `${MANIFEST.name}.cjs` },
        files: [`${MANIFEST.name}.cjs`, 'LICENSE', 'NOTICE'],
        os: ['linux'],
        engines: { node: '>=22.3' },
      },
      null,
      2,
    )}\n`,
  );
  const packed = JSON.parse(
    await runProgram('npm', ['pack', '--json', '--pack-destination', options.output], { cwd: folder }),
  ) as unknown;
  const [{ filename }] = packed as [{ readonly filename: string }];
  return join(options.output, filename);
}

const README = `# ${MANIFEST.name}

${MANIFEST.description}

    trapline-detector --from /dev/kmsg --to https://trapline.example.org

The API key, with the scope \`events:write\`, is read from TRAPLINE_API_KEY or from the file that TRAPLINE_API_KEY_FILE names.
\`--from syslog\` needs Node.js 26 or later.
`;
