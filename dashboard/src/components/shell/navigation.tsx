import { BotSparkle20Regular } from '@fluentui/react-icons/svg/bot-sparkle';
import { Chat20Regular } from '@fluentui/react-icons/svg/chat';
import { ClipboardTask20Regular } from '@fluentui/react-icons/svg/clipboard-task';
import { DataTrending20Regular } from '@fluentui/react-icons/svg/data-trending';
import { Gauge20Regular } from '@fluentui/react-icons/svg/gauge';
import { Home20Regular } from '@fluentui/react-icons/svg/home';
import { Image20Regular } from '@fluentui/react-icons/svg/image';
import { Key20Regular } from '@fluentui/react-icons/svg/key';
import { People20Regular } from '@fluentui/react-icons/svg/people';
import { PlugConnected20Regular } from '@fluentui/react-icons/svg/plug-connected';
import { QuestionCircle20Regular } from '@fluentui/react-icons/svg/question-circle';
import { Scales20Regular } from '@fluentui/react-icons/svg/scales';
import { Settings20Regular } from '@fluentui/react-icons/svg/settings';
import { TextBulletList20Regular } from '@fluentui/react-icons/svg/text-bullet-list';
import { TicketDiagonal20Regular } from '@fluentui/react-icons/svg/ticket-diagonal';
import { Wallet20Regular } from '@fluentui/react-icons/svg/wallet';
import type { ReactElement } from 'react';
import { type Status, useStatus } from '../../api/status.ts';
import { hasPage } from '../../pages.ts';
import { chatLinks } from '../../state/chat-link.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';

export interface NavigationEntry {
  path: string;
  /** Its name is the text `navigation.<key>`. */
  key: string;
  icon: ReactElement;
  /** In place of a text: names that an operator gave. */
  label?: string;
}

export interface NavigationGroup {
  key: 'use' | 'manage' | 'account';
  entries: NavigationEntry[];
}

/** The console's pages for the signed-in user (operations spec, section 2). */
export function useNavigationGroups(): NavigationGroup[] {
  const user = sessionUser.use();
  const status = useStatus();
  if (!user) return [];
  const groups: NavigationGroup[] = [
    {
      key: 'use',
      entries: [
        { path: '/', key: 'overview', icon: <Home20Regular /> },
        { path: '/playground', key: 'playground', icon: <BotSparkle20Regular /> },
        ...chatEntries(status),
        { path: '/token', key: 'token', icon: <Key20Regular /> },
        ...(status.enable_data_export ? [{ path: '/detail', key: 'detail', icon: <DataTrending20Regular /> }] : []),
        { path: '/log', key: 'log', icon: <TextBulletList20Regular /> },
        ...(status.enable_drawing ? [{ path: '/midjourney', key: 'midjourney', icon: <Image20Regular /> }] : []),
        ...(status.enable_task ? [{ path: '/task', key: 'task', icon: <ClipboardTask20Regular /> }] : []),
      ],
    },
    {
      key: 'manage',
      entries: isAdmin(user)
        ? [
            { path: '/channel', key: 'channel', icon: <PlugConnected20Regular /> },
            { path: '/user', key: 'user', icon: <People20Regular /> },
            { path: '/limit', key: 'limit', icon: <Gauge20Regular /> },
            { path: '/redemption', key: 'redemption', icon: <TicketDiagonal20Regular /> },
            { path: '/ledger', key: 'ledger', icon: <Scales20Regular /> },
            { path: '/explain', key: 'explain', icon: <QuestionCircle20Regular /> },
          ]
        : [],
    },
    {
      key: 'account',
      entries: [
        { path: '/topup', key: 'topup', icon: <Wallet20Regular /> },
        { path: '/setting', key: 'setting', icon: <Settings20Regular /> },
      ],
    },
  ];
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter(({ path }) => hasPage(patternOf(path))) }))
    .filter(({ entries }) => entries.length > 0);
}

/** One entry for each configured chat, or the older single link; one for a setting that cannot be read, where that is said. */
function chatEntries(status: Status): NavigationEntry[] {
  const icon = <Chat20Regular />;
  const links = chatLinks(status);
  const named = (links ?? []).filter(({ name }) => name !== '');
  if (named.length > 0)
    return named.map(({ name }, index) => ({ path: `/chat/${index}`, key: 'chat', icon, label: name }));
  return !links || status.chat_link ? [{ path: '/chat', key: 'chat', icon }] : [];
}

const patternOf = (path: string) => (path.startsWith('/chat') ? '/chat/:id?' : path);
