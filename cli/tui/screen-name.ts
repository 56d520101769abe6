import type { Sentence } from '../text.ts';

interface ScreenTab {
  /** As --screen names it. */
  id: string;
  /** The key that opens it. */
  digit: string;
  title: Sentence;
}

/** In the order of the tab line. Apart from the screens themselves, so that help and the first picture need not load them. */
export const screenTabs = [
  { id: 'overview', digit: '1', title: 'tui.overview' },
  { id: 'channel', digit: '2', title: 'tui.channels' },
  { id: 'token', digit: '3', title: 'tui.tokens' },
  { id: 'user', digit: '4', title: 'tui.users' },
  { id: 'log', digit: '5', title: 'tui.logs' },
  { id: 'redemption', digit: '6', title: 'tui.codes' },
  { id: 'option', digit: '7', title: 'tui.options' },
  { id: 'usage', digit: '8', title: 'tui.usage' },
  { id: 'pricing', digit: '9', title: 'tui.prices' },
  { id: 'task', digit: '0', title: 'tui.tasks' },
] as const satisfies ScreenTab[];

export type ScreenName = (typeof screenTabs)[number]['id'];

export const screenNames: ScreenName[] = screenTabs.map(({ id }) => id);
