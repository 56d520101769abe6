import { createStoredValue } from './stored-value.ts';

export const themeModes = ['light', 'dark', 'system'] as const;
export type ThemeMode = (typeof themeModes)[number];

export const themeMode = createStoredValue<ThemeMode>(
  'theme-mode',
  (stored) => themeModes.find((mode) => mode === stored) ?? 'system',
);

export const pageSizes = [10, 20, 50, 100];

/** Rows on a page of any list. Undefined until the user has chosen: then each list has its own. */
export const pageSize = createStoredValue<number | undefined>('page-size', (stored) =>
  pageSizes.find((size) => size === stored),
);

/** Undefined until the user has opened or closed it: then the installation's default applies. */
export const isNavigationOpen = createStoredValue<boolean | undefined>('navigation-open', (stored) =>
  typeof stored === 'boolean' ? stored : undefined,
);

/** The code of the user who invited this visitor, kept until an account is opened. */
export const invitationCode = createStoredValue<string>(
  'aff',
  (_stored, text) => text, // not parsed: 1e23 and true are codes, too
);
