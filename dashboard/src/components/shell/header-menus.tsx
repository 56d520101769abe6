import { LanguageMenu } from './language-menu.tsx';
import { Notice } from './notice.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { UserMenu } from './user-menu.tsx';

export function HeaderMenus() {
  return (
    <>
      <Notice />
      <ThemeMenu />
      <LanguageMenu />
      <UserMenu />
    </>
  );
}
