import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useSearch } from '../../api/search.ts';
import { usePublicAddress, useStatus } from '../../api/status.ts';
import { changeLanguage } from '../../i18n/language.ts';
import { hitPath } from '../../state/object-path.ts';
import { themeMode } from '../../state/preference.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { useSettled } from '../../state/use-settled.ts';
import { useCopy } from '../feedback/copy.tsx';
import type { Command } from './command.ts';
import { useNavigationGroups } from './navigation.tsx';
import { useTopLinks } from './top-link.ts';
import { useDocumentCommands } from './use-document-commands.ts';
import { useSettingCommands } from './use-setting-commands.ts';
import { useSignOut } from './use-sign-out.ts';

/** What the palette finds: pages and actions by name, what the server finds, then settings and documents. */
export function useCommands(text: string): { commands: Command[]; isSearching: boolean } {
  const wanted = text.trim().toLowerCase();
  const settled = useSettled(text.trim());
  const navigate = useNavigate();
  const { data: hits = [], isFetching } = useSearch(settled);
  const local = [...usePageCommands(), ...useActions()].filter(({ name }) => name.toLowerCase().includes(wanted));
  const texts = [...useSettingCommands(), ...useDocumentCommands()];
  if (wanted === '') return { commands: local, isSearching: false };
  const found = hits.map((hit) => ({
    group: hit.kind,
    key: `${hit.kind} ${hit.id} ${hit.name}`,
    name: hit.name || `#${hit.id}`,
    detail: hit.detail,
    run: () => void navigate(hitPath(hit)),
  }));
  const described = texts
    .filter(({ name, key }) => `${name} ${key}`.toLowerCase().includes(wanted))
    .slice(0, maxDescribed);
  return { commands: [...local, ...found, ...described], isSearching: isFetching || settled !== text.trim() };
}

const maxDescribed = 8;

function usePageCommands(): Command[] {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const entries = useNavigationGroups().flatMap((group) => group.entries);
  const others = useTopLinks().filter(({ path }) => !entries.some((entry) => entry.path === path));
  return [
    ...entries.map(({ path, key, label }) => ({ path, name: label ?? t(`navigation.${key}`) })),
    ...others.map(({ path, key }) => ({ path, name: t(`navigation.${key}`) })),
  ].map(({ path, name }) => ({ group: 'page', key: path, name, run: () => void navigate(path) }));
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
  const action = (name: string, run: () => void): Command => ({ group: 'action', key: `action ${name}`, name, run });
  const goTo = (name: string, path: string) => action(name, () => void navigate(path));
  return [
    ...(user ? [goTo(t('palette.newToken'), '/token?add=true')] : []),
    ...(isAdmin(user) ? [goTo(t('palette.newChannel'), '/channel/add')] : []),
    action(t('palette.copyAddress'), () => void copy(`${address}/v1`)),
    docs
      ? action(t('palette.docs'), () => void window.open(docs, '_blank', 'noopener,noreferrer'))
      : goTo(t('palette.docs'), '/docs'),
    action(t(isDark ? 'palette.light' : 'palette.dark'), () => themeMode.set(isDark ? 'light' : 'dark')),
    action(t('palette.language'), () => void changeLanguage(otherLanguage)),
    user ? action(t('user.signOut'), () => void signOut()) : goTo(t('navigation.login'), '/login'),
  ];
}
