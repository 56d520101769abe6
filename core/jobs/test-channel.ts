import { AppError } from '../errors/app-error.ts';
import { systemActor } from '../schemas/actor.ts';
import type { ChannelCheckService } from '../services/channel/check.ts';
import type { OptionService } from '../services/option/option.ts';
import type { Job } from './job.ts';

interface ChannelTestDependencies {
  channelChecks: Pick<ChannelCheckService, 'testAll'>;
  /** CHANNEL_TEST_FREQUENCY; 0 = off. */
  minutes: number;
}

export function testChannelJob({ channelChecks, minutes }: ChannelTestDependencies): Job {
  return {
    name: 'test-channel',
    schedule: () => (minutes > 0 ? { everySeconds: minutes * 60 } : undefined),
    run: () => test(channelChecks, false),
  };
}

/** How long a channel that went off by itself waits for its next chance. */
const returnMinutes = 10;

interface ChannelReturnDependencies extends ChannelTestDependencies {
  options: Pick<OptionService, 'get'>;
}

/** Only those that went off by themselves, while the tests of all channels are rarer than that or off. */
export function enableChannelJob({ channelChecks, minutes, options }: ChannelReturnDependencies): Job {
  const isCovered = minutes > 0 && minutes <= returnMinutes;
  return {
    name: 'enable-channel',
    schedule: () =>
      options.get('AutomaticEnableChannelEnabled') && !isCovered ? { everySeconds: returnMinutes * 60 } : undefined,
    run: () => test(channelChecks, true),
  };
}

async function test({ testAll }: Pick<ChannelCheckService, 'testAll'>, onlyAutoDisabled: boolean) {
  try {
    const { tested, failed, disabled, enabled } = await testAll(systemActor, { onlyAutoDisabled });
    return tested + enabled > 0 ? { tested, failed: failed.length, disabled, enabled } : undefined;
  } catch (error) {
    // A manual test is running, which serves as well.
    if (error instanceof AppError && error.code === 'channel.testRunning') return undefined;
    throw error;
  }
}
