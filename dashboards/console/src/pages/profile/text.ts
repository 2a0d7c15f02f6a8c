/** Every text of the profile page. */
export const PROFILE_TEXT = {
  title: 'Profile',
  signOut: 'Sign out',
  saved: 'Profile saved.',
  facts: {
    email: 'E-mail address',
    value: (email: string, verified: boolean) => (verified ? email : `${email} (not verified)`),
    role: 'Role',
    created: 'Account created',
  },
  form: {
    title: 'Name and picture',
    username: 'User name',
    usernameHint: '3 to 32 letters, digits, - and _',
    picture: 'Picture',
    pictureHint: 'https address. Only API clients show it; the console loads nothing from other hosts.',
    picturePlaceholder: 'https://',
    save: 'Save',
  },
  quota: { title: 'Usage', resource: 'Resource', used: 'Used', quota: 'Quota', unlimited: 'unlimited' },
  password: {
    action: 'Change password',
    /** Follows the link. */
    hint: ': we send you a link to set a new password. It ends all your sessions.',
  },
} as const;
