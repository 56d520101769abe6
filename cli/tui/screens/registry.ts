import type { ComponentType } from 'react';
import type { Sentence } from '../../text.ts';
import type { ScreenName } from '../screen-name.ts';
import { ChannelScreen } from './channel.tsx';
import { LogScreen } from './log.tsx';
import { OptionScreen } from './option.tsx';
import { OverviewScreen } from './overview.tsx';
import { RedemptionScreen } from './redemption.tsx';
import { TokenScreen } from './token.tsx';
import { UserScreen } from './user.tsx';

export interface ScreenEntry {
  /** As --screen names it. */
  id: ScreenName;
  /** The key that opens it. */
  digit: string;
  title: Sentence;
  Screen: ComponentType;
}

/** In the order of the tab line. */
export const screens: ScreenEntry[] = [
  { id: 'overview', digit: '1', title: 'tui.overview', Screen: OverviewScreen },
  { id: 'channel', digit: '2', title: 'tui.channels', Screen: ChannelScreen },
  { id: 'token', digit: '3', title: 'tui.tokens', Screen: TokenScreen },
  { id: 'user', digit: '4', title: 'tui.users', Screen: UserScreen },
  { id: 'log', digit: '5', title: 'tui.logs', Screen: LogScreen },
  { id: 'redemption', digit: '6', title: 'tui.codes', Screen: RedemptionScreen },
  { id: 'option', digit: '7', title: 'tui.options', Screen: OptionScreen },
];
