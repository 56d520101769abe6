import { useSyncExternalStore } from 'react';

/** 601 px is a desktop (accounts spec, section 1). */
export const useIsMobile = (): boolean => useMedia('(max-width: 600px)');
/** Too narrow for tables once the navigation is taken off. */
export const useIsTablet = (): boolean => useMedia('(max-width: 1023px)');
/** Beside the navigation, tables have no room for what can do without. */
export const useIsNarrow = (): boolean => useMedia('(max-width: 1200px)');
export const useIsCompact = (): boolean => useMedia('(max-width: 1330px)');
export const useIsMedium = (): boolean => useMedia('(max-width: 1439px)');
/** No room in the header for its links beside the name of the site. */
export const useIsHeaderTight = (): boolean => useMedia('(max-width: 1020px)');
/** No room for a list beside a page's cards. */
export const useIsOneColumn = (): boolean => useMedia('(max-width: 900px)');
export const usePrefersDark = (): boolean => useMedia('(prefers-color-scheme: dark)');

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}
