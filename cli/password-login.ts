/** Asked first: people who have no other way to sign in are shut out by it. */
export const endsPasswordLogin = (key: string, value: string): boolean =>
  key === 'PasswordLoginEnabled' && value.trim() === 'false';
