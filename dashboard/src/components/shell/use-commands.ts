import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { usePublicAddress, useStatus } from '../../api/status.ts';
import { changeLanguage } from '../../i18n/language.ts';
import { themeMode } from '../../state/preference.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { useCopy } from '../feedback/copy.tsx';
import { useNavigationGroups } from './navigation.tsx';
import { useTopLinks } from './top-link.ts';
import { useSignOut } from './use-sign-out.ts';

export interface Command {
  name: string;
  run: () => void;
}

/** What the palette finds: the pages first, then what can be done from anywhere. */
export function useCommands(): Command[] {
  return [...usePageCommands(), ...useActions()];
}

function usePageCommands(): Command[] {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const entries = useNavigationGroups().flatMap((group) => group.entries);
  const others = useTopLinks().filter(({ path }) => !entries.some((entry) => entry.path === path));
  return [
    ...entries.map(({ path, key, label }) => ({ path, name: label ?? t(`navigation.${key}`) })),
    ...others.map(({ path, key }) => ({ path, name: t(`navigation.${key}`) })),
  ].map(({ path, name }) => ({ name, run: () => void navigate(path) }));
}

function useActions(): Command[] {
  const { t, i18n } = useTranslation('shell');
  const navigate = useNavigate();
  const copy = useCopy();
  const signOut = useSignOut();
  const user = sessionUser.use();
  const { docs_link: docs } = useStatus();
  const address = usePublicAddress();
  const isDark = document.documentElement.dataset.theme === 'dark';
  const otherLanguage = i18n.language === 'en' ? 'zh' : 'en';
  const goTo = (name: string, path: string): Command => ({ name, run: () => void navigate(path) });
  return [
    ...(user ? [goTo(t('palette.newToken'), '/token?add=true')] : []),
    ...(isAdmin(user) ? [goTo(t('palette.newChannel'), '/channel/add')] : []),
    { name: t('palette.copyAddress'), run: () => void copy(`${address}/v1`) },
    docs
      ? { name: t('palette.docs'), run: () => void window.open(docs, '_blank', 'noopener,noreferrer') }
      : goTo(t('palette.docs'), '/docs'),
    { name: t(isDark ? 'palette.light' : 'palette.dark'), run: () => themeMode.set(isDark ? 'light' : 'dark') },
    { name: t('palette.language'), run: () => void changeLanguage(otherLanguage) },
    user ? { name: t('user.signOut'), run: signOut } : goTo(t('navigation.login'), '/login'),
  ];
}
