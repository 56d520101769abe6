import { AppError } from '../errors/app-error.ts';
import { systemActor } from '../schemas/actor.ts';
import type { ChannelBalanceService } from '../services/channel/balance.ts';
import type { Job } from './job.ts';

interface UpdateBalanceDependencies {
  channelBalances: Pick<ChannelBalanceService, 'updateBalances'>;
  /** CHANNEL_UPDATE_FREQUENCY; 0 = off. */
  minutes: number;
}

export function updateBalanceJob({ channelBalances, minutes }: UpdateBalanceDependencies): Job {
  return {
    name: 'update-balance',
    schedule: () => (minutes > 0 ? { everySeconds: minutes * 60 } : undefined),
    async run() {
      try {
        const { updated, failed, disabled } = await channelBalances.updateBalances(systemActor);
        return { updated, failed: failed.length, disabled };
      } catch (error) {
        // A manual update is running, which serves as well.
        if (error instanceof AppError && error.code === 'channel.balanceRunning') return undefined;
        throw error;
      }
    },
  };
}
