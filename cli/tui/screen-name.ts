/** What --screen takes, in the order of the tab line. Apart from the screens themselves, so that the help need not load them. */
export const screenNames = ['overview', 'channel', 'token', 'user', 'log', 'redemption', 'option'] as const;

export type ScreenName = (typeof screenNames)[number];
