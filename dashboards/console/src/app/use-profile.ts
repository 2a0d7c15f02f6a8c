import { getRouteApi } from '@tanstack/react-router';

const signedIn = getRouteApi('/_signed-in');

/** The profile of the person who is signed in, on any page below `signedInRoute`. */
export function useProfile() {
  return signedIn.useRouteContext().profile;
}
