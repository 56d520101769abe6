import type { Channel } from '../../../../core/schemas/channel.ts';

/** Why and when a channel went off by itself; empty and 0 when it did not. */
export function channelReason({ other_info }: Pick<Channel, 'other_info'>): { reason: string; time: number } {
  try {
    const { status_reason = '', status_time = 0 } = JSON.parse(other_info || '{}') as Record<string, string | number>;
    return { reason: String(status_reason), time: Number(status_time) };
  } catch {
    // An imported row may contain any text there.
    return { reason: '', time: 0 };
  }
}
