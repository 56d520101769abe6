/** What a new account brings to the sign-in page, which sends it on when it is signed in already. */
export const afterRegistration = { isRegistered: true };

export const isRegistered = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isRegistered' in state && state.isRegistered === true;
