import { createJobLocks } from '../jobs/job-lock.ts';
import { createRunLocks } from '../jobs/run-lock.ts';
import { createProbe } from '../relay/probe/probe.ts';
import { createAbilityService } from '../services/ability.ts';
import { createChannelBalanceService } from '../services/channel/balance.ts';
import { createChannelService } from '../services/channel/channel.ts';
import { createChannelCheckService } from '../services/channel/check.ts';
import { createChannelModelService } from '../services/channel/model.ts';
import { createRunProgress } from '../services/channel/run-progress.ts';
import { createStoredResponseService } from '../services/stored-response.ts';
import type { CommonServices } from './common-services.ts';
import { type Installation, warn } from './installation.ts';
import type { ModelServices } from './model-services.ts';
import type { NoticeServices } from './notice-services.ts';

/** How long a run over all channels stays alone when its process has died. */
const runSeconds = 60;

/** Channels: what is stored about them, and what their upstreams say when they are asked. */
export function createChannelServices({
  now,
  config,
  logger,
  database,
  secretBox,
  outbound,
  authorizer,
  options,
  audit,
  checkAddress,
  modelSettings,
  channelNotice,
}: Installation & CommonServices & ModelServices & Pick<NoticeServices, 'channelNotice'>) {
  const abilities = createAbilityService({ database });
  const channels = createChannelService({ now, database, secretBox, abilities, options, audit, checkAddress });
  channels.onSwitched((change) => {
    if (!database.rehearsal()) channelNotice.switched(change);
  });
  const { saveTestResult } = channels;
  const probe = createProbe({ outbound, authorizer, modelSettings, proxy: config.relayProxy, saveTestResult });
  const locks = createJobLocks({ database, leaseSeconds: runSeconds });
  const runs = createRunLocks({ locks, leaseSeconds: runSeconds });
  const run = {
    now,
    database,
    secretBox,
    options,
    channels,
    probe,
    pollingIntervalMs: config.pollingIntervalMs,
    progress: createRunProgress({ database, isTaken: runs.isTaken }),
    takeRun: runs.take,
    onError: warn(logger, 'a channel could not be tested'),
  };
  return {
    abilities,
    channels,
    channelChecks: createChannelCheckService({ ...run, onManualRun: channelNotice.tested }),
    channelBalances: createChannelBalanceService(run),
    channelModels: createChannelModelService({ database, secretBox, probe, checkAddress }),
    storedResponses: createStoredResponseService({ now, database }),
  };
}
