import type { Language } from '../core/errors/app-error.ts';
import { accountText } from './text/account.ts';
import { batchText } from './text/batch.ts';
import { channelText } from './text/channel.ts';
import { explainText } from './text/explain.ts';
import { flagText } from './text/flag.ts';
import { helpText } from './text/help.ts';
import { optionText } from './text/option.ts';
import { pricingText } from './text/pricing.ts';
import { resultText } from './text/result.ts';
import { screenText } from './text/screen.ts';
import { tuiText } from './text/tui.ts';
import { tuiChannelText } from './text/tui-channel.ts';
import { tuiLogText } from './text/tui-log.ts';
import { tuiOptionText } from './text/tui-option.ts';
import { tuiOverviewText } from './text/tui-overview.ts';
import { tuiRedemptionText } from './text/tui-redemption.ts';
import { tuiTokenText } from './text/tui-token.ts';
import { tuiUserText } from './text/tui-user.ts';
import { upkeepText } from './text/upkeep.ts';

/** Every sentence of the command line that is no error; those stand in the error catalogue. */
export const sentences = {
  ...accountText,
  ...batchText,
  ...channelText,
  ...explainText,
  ...helpText,
  ...flagText,
  ...optionText,
  ...pricingText,
  ...resultText,
  ...screenText,
  ...tuiText,
  ...tuiChannelText,
  ...tuiLogText,
  ...tuiOptionText,
  ...tuiOverviewText,
  ...tuiRedemptionText,
  ...tuiTokenText,
  ...tuiUserText,
  ...upkeepText,
};

export type Sentence = keyof typeof sentences;
export type Speak = (sentence: Sentence, details?: Record<string, string | number>) => string;

export function createSpeak(language: Language): Speak {
  return (sentence, details = {}) =>
    sentences[sentence][language].replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole));
}
