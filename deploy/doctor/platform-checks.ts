import type { Config } from '../config.ts';
import { type Check, fine, look, wrong } from './check.ts';

/** Checks the settings that control access to the platform. */
export function platformChecks({ platform }: Config): Check[] {
  return [
    {
      name: 'production settings',
      advice: '',
      run: () => {
        if (!platform.production) return fine('not required: NODE_ENV is not production');
        if (platform.problems.length === 0) return fine('complete');
        return wrong(platform.problems.join('; '), 'start, api and worker refuse to start until these are set');
      },
    },
    {
      name: 'registration',
      advice: '',
      run: () => {
        const { registration, because } = platform.registration;
        const found = `${typeof registration === 'string' ? registration : `for ${registration.join(', ')}`} (${because})`;
        return platform.production && registration === 'open'
          ? look(
              found,
              'anyone who can receive mail gets an account: set REGISTRATION to closed or to your e-mail domains',
            )
          : fine(found);
      },
    },
  ];
}
