import { chatList } from './json.ts';
import { decimal, flag, text, whole } from './kind.ts';
import { chatLink, link, originAddress } from './link.ts';

const page = 200_000;

/** Names, texts and display: what the console shows and how. */
export const consoleOptions = {
  SystemName: text('Tollgate', 'content', 100),
  Logo: link('content', true),
  Footer: text('', 'content', page),
  Notice: text('', 'content', page),
  About: text('', 'content', page),
  HomePageContent: text('', 'content', page),
  /** Empty: consoles take the address in the browser's bar; what leaves this server without a browser needs it set. */
  ServerAddress: originAddress('server'),
  TopUpLink: link('general'),
  ChatLink: chatLink('general'),
  ChatLink2: chatLink('general'),
  Chats: chatList('chat'),
  QuotaPerUnit: decimal(500_000, 1, 1_000_000_000, 'general'),
  DisplayInCurrencyEnabled: flag(true, 'general'),
  DisplayTokenStatEnabled: flag(true, 'general'),
  DefaultCollapseSidebar: flag(false, 'general'),
  DemoSiteEnabled: flag(false, 'general'),
  SelfUseModeEnabled: flag(false, 'general'),
  'general_setting.docs_link': link('general'),
  'general_setting.ping_interval_enabled': flag(false, 'general'),
  'general_setting.ping_interval_seconds': whole(60, 1, 3600, 'general'),
  DrawingEnabled: flag(true, 'drawing'),
  TaskEnabled: flag(true, 'drawing'),
};
