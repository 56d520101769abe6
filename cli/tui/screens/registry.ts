import type { ComponentType } from 'react';
import type { Sentence } from '../../text.ts';
import { type ScreenName, screenTabs } from '../screen-name.ts';
import { ChannelScreen } from './channel.tsx';
import { LogScreen } from './log.tsx';
import { OptionScreen } from './option.tsx';
import { OverviewScreen } from './overview.tsx';
import { PricingScreen } from './pricing.tsx';
import { RedemptionScreen } from './redemption.tsx';
import { TaskScreen } from './task.tsx';
import { TokenScreen } from './token.tsx';
import { UsageScreen } from './usage.tsx';
import { UserScreen } from './user.tsx';

export interface ScreenEntry {
  /** As --screen names it. */
  id: ScreenName;
  /** The key that opens it. */
  digit: string;
  title: Sentence;
  Screen: ComponentType;
}

const components: Record<ScreenName, ComponentType> = {
  overview: OverviewScreen,
  channel: ChannelScreen,
  token: TokenScreen,
  user: UserScreen,
  log: LogScreen,
  redemption: RedemptionScreen,
  option: OptionScreen,
  usage: UsageScreen,
  pricing: PricingScreen,
  task: TaskScreen,
};

/** In the order of the tab line. */
export const screens: ScreenEntry[] = screenTabs.map((tab) => ({ ...tab, Screen: components[tab.id] }));
