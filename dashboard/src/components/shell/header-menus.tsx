import { sessionUser } from '../../state/session.ts';
import { LanguageMenu } from './language-menu.tsx';
import { Notice } from './notice.tsx';
import { SearchField } from './search-field.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { UserMenu } from './user-menu.tsx';

export function HeaderMenus({ onSearch }: { onSearch: () => void }) {
  return (
    <>
      {sessionUser.use() && <SearchField onOpen={onSearch} />}
      <Notice />
      <ThemeMenu />
      <LanguageMenu />
      <UserMenu />
    </>
  );
}
