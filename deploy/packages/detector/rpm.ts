import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPackageOptions } from './deb.ts';
import { type HostFile, hostFiles, layOut } from './host-files.ts';
import { ARCHITECTURE_NAMES, MANIFEST } from './manifest.ts';
import { runProgram } from './run-program.ts';

/** Builds the package for Fedora, RHEL and SUSE with rpmbuild; returns its path. */
export async function buildRpm({ executable, output, scratch, arch, level }: HostPackageOptions): Promise<string> {
  const { rpm: target } = ARCHITECTURE_NAMES[arch];
  const top = join(scratch, 'rpm');
  const root = join(top, 'root');
  await mkdir(top, { recursive: true });
  const files = hostFiles(executable);
  await layOut(files, root);
  const spec = join(top, 'detector.spec');
  await writeFile(spec, specFile(files, root, level));
  await runProgram('rpmbuild', ['-bb', '--target', target, '--define', `_topdir ${top}`, spec]);
  const name = `${MANIFEST.name}-${MANIFEST.version}-1.${target}.rpm`;
  await copyFile(join(top, 'RPMS', target, name), join(output, name));
  return join(output, name);
}

/** Returns the spec file. The program is complete: nothing is compiled, stripped or scanned for dependencies. */
function specFile(files: readonly HostFile[], root: string, level: number): string {
  const unit = `${MANIFEST.name}.service`;
  return `%global __strip /bin/true
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
%global _binary_payload w${level}.xzdio

Name: ${MANIFEST.name}
Version: ${MANIFEST.version}
Release: 1
Summary: ${MANIFEST.summary}
License: ${MANIFEST.license}
AutoReqProv: no
Requires: glibc >= 2.28, libstdc++, libatomic

%description
${MANIFEST.description}

%install
cp -a ${root}/. %{buildroot}/

%post
sysctl --quiet --ignore -p /usr/lib/sysctl.d/60-${MANIFEST.name}.conf 2>/dev/null || :
if [ -d /run/systemd/system ]; then
  systemd-tmpfiles --create ${MANIFEST.name}.conf || :
  systemctl daemon-reload || :
  if [ $1 -eq 1 ]; then systemctl enable --quiet ${unit} || :; fi
  systemctl restart ${unit} || :
fi

%preun
if [ $1 -eq 0 ] && [ -d /run/systemd/system ]; then
  systemctl disable --quiet --now ${unit} || :
fi

%postun
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || :
fi

%files
${files.map(fileLine).join('\n')}
`;
}

function fileLine({ path, mode, isConfig }: HostFile): string {
  const kind = isConfig ? '%config(noreplace) ' : path.startsWith('usr/share/doc/') ? '%doc ' : '';
  return `%attr(${mode.toString(8).padStart(4, '0')},root,root) ${kind}/${path}`;
}
