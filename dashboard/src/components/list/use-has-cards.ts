import { useStatus } from '../../api/status.ts';
import { useIsMobile, useIsTablet } from '../../state/media.ts';
import { isNavigationOpen } from '../../state/preference.ts';
import { sessionUser } from '../../state/session.ts';

/** Rows are cards on a phone, and beside a navigation that leaves no more room than a phone has. */
export function useHasCards(): boolean {
  const isMobile = useIsMobile();
  const isTablet = useIsTablet();
  const { default_collapse_sidebar: isCollapsedAtFirst } = useStatus();
  const isBesideNavigation = isNavigationOpen.use() ?? !isCollapsedAtFirst;
  const isSignedIn = sessionUser.use() !== undefined;
  return isMobile || (isTablet && isBesideNavigation && isSignedIn);
}
