import { hasPage } from '../../pages.ts';

/** Links of the public header. */
export function useTopLinks(): { path: string; key: string }[] {
  const links = [
    { path: '/', key: 'home' },
    { path: '/detail', key: 'console' },
    { path: '/pricing', key: 'pricing' },
    { path: '/about', key: 'about' },
  ];
  return links.filter(({ path }) => hasPage(path));
}
