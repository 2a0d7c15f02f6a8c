import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { answers } from '../api/answers.ts';
import { unreachable } from '../api/failure.ts';

/**
 * A page whose code is loaded when it is first opened. Where its file is gone, because the server is of another version by now, the router loads the console anew;
 * of a server that is away nothing can be had anew, and that is a `Failure` like any other.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<{ readonly [name in Name]: ComponentType }>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      return { default: (await load())[name] };
    } catch (error) {
      throw (await answers()) ? error : unreachable();
    }
  });
}
