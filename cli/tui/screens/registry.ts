import type { ComponentType } from 'react';
import type { Sentence } from '../../text.ts';
import { ChannelScreen } from './channel.tsx';

export interface ScreenEntry {
  /** As --screen names it. */
  id: string;
  /** The key that opens it. */
  digit: string;
  title: Sentence;
  Screen: ComponentType;
}

/** In the order of the tab line. */
export const screens: ScreenEntry[] = [{ id: 'channel', digit: '2', title: 'tui.channels', Screen: ChannelScreen }];
