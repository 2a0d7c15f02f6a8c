import { getRouteApi } from '@tanstack/react-router';

const signedIn = getRouteApi('/_signed-in');

/** Returns the profile of the signed-in user, on any page below `signedInRoute`. */
export function useProfile() {
  return signedIn.useRouteContext().profile;
}
