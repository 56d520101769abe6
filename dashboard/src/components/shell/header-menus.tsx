import { useIsHeaderTight, useIsMobile } from '../../state/media.ts';
import { sessionUser } from '../../state/session.ts';
import { LanguageMenu } from './language-menu.tsx';
import { LinkMenu } from './link-menu.tsx';
import { Notice } from './notice.tsx';
import { SearchField } from './search-field.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { UserMenu } from './user-menu.tsx';

export function HeaderMenus({ onSearch }: { onSearch: () => void }) {
  const isMobile = useIsMobile();
  const isTight = useIsHeaderTight();
  return (
    <>
      {isTight && !isMobile && <LinkMenu />}
      {sessionUser.use() && <SearchField onOpen={onSearch} />}
      <Notice />
      <ThemeMenu />
      <LanguageMenu />
      <UserMenu />
    </>
  );
}
