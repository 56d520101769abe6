import { hasPage } from '../../pages.ts';
import { sessionUser } from '../../state/session.ts';

/** Links of the public header. */
export function useTopLinks(): { path: string; key: string }[] {
  // Signed in, `/` is the overview of the console.
  const home = sessionUser.use() ? '/home' : '/';
  const links = [
    { path: home, key: 'home' },
    { path: '/detail', key: 'console' },
    { path: '/pricing', key: 'pricing' },
    { path: '/docs', key: 'docs' },
    { path: '/about', key: 'about' },
  ];
  return links.filter(({ path }) => hasPage(path));
}
