import { LanguageMenu } from './language-menu.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { UserMenu } from './user-menu.tsx';

export function HeaderMenus() {
  return (
    <>
      <ThemeMenu />
      <LanguageMenu />
      <UserMenu />
    </>
  );
}
