import type { ChannelSetting } from './adapter.ts';

/** The channel's own user agent in place of ours: some upstreams let certain programs in only. */
export function ownUserAgent({ setting }: { setting: ChannelSetting }): Record<string, string> {
  const { user_agent: name } = setting;
  return typeof name === 'string' && name !== '' ? { 'user-agent': name } : {};
}
