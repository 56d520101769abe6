import { setTimeout as pause } from 'node:timers/promises';
import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { servesOnlyJobs } from '../../providers/registry.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { logType } from '../../schemas/log-type.ts';
import { coded } from '../../text/coded.ts';
import { isSystem, requireRole } from '../actor.ts';
import type { OptionService } from '../option/option.ts';
import { type RoutedChannel, withKey } from '../routing.ts';
import { readPool } from './key-pool.ts';
import { type ChannelProbe, type ChannelTest, createStoredChannels } from './probe.ts';
import type { RunProgress } from './run-progress.ts';
import type { ChannelStateService } from './state.ts';

export interface ChannelCheckDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  channels: Pick<ChannelStateService, 'recordFailure' | 'recordSuccess' | 'disableAutomatically'>;
  probe: Pick<ChannelProbe, 'test'>;
  /** POLLING_INTERVAL: between two channels. */
  pollingIntervalMs: number;
  /** The right to test all channels, of one process at a time; undefined while another has it. */
  takeRun(name: string): Promise<RunRight | undefined>;
  progress: RunProgress;
  /** For a run without a waiting caller. */
  onError(error: unknown): void;
  onManualRun?(report: ChannelTestReport): void;
  now?: Clock;
}

/** The right to do something that no other process does at the same time. */
export interface RunRight {
  /** Fires when the right is lost: another process may have begun. */
  signal: AbortSignal;
  free(): Promise<void>;
}

/** What a run over many channels did. */
export interface ChannelTestReport {
  tested: number;
  failed: { id: number; name: string; reason: string }[];
  disabled: number;
  enabled: number;
}

interface StoredTestReport extends ChannelTestReport {
  /** Channels that were there when the run began. */
  total: number;
  /** It came to its end; one that was stopped, or whose process is gone, did not. */
  finished: boolean;
}

interface ChannelTestProgress extends StoredTestReport {
  running: boolean;
}

const runName = 'test-all-channels';

export type ChannelCheckService = ReturnType<typeof createChannelCheckService>;

/** Log readers expect tests under the first account, in the default group (console reference, 14). */
const testUserId = 1;
const testTokenName = 'channel test';

/** Tests of channels, one or all of them, and what follows from a test. */
export function createChannelCheckService(dependencies: ChannelCheckDependencies) {
  const { database, options, channels, probe, pollingIntervalMs, onError, now = nowSeconds } = dependencies;
  const { takeRun, progress: stage, onManualRun = () => {} } = dependencies;
  const stored = createStoredChannels(dependencies);
  const stopping = new AbortController();
  let running: Promise<ChannelTestReport> | undefined;

  /** One tiny call. A failure is in the result and has no consequence for the channel. */
  async function test(actor: Actor, id: number, model?: string): Promise<ChannelTest> {
    requireRole(actor, role.admin);
    const { row, channel } = await stored(id);
    if (row.status === channelStatus.disabled && !isSystem(actor)) throw new AppError('channel.testDisabled');
    const result = await probe.test(channel, model, stopping.signal);
    if (result.ok) await record(row, result);
    return result;
  }

  /**
   * One after the other over every channel, those that are off too, but for those that only take paid jobs. One that fails or is slow
   * goes off by itself, one that went off by itself and responds comes back, as the options say. `onlyAutoDisabled`: just those that
   * may come back.
   */
  async function testAll(actor: Actor, { onlyAutoDisabled = false } = {}): Promise<ChannelTestReport> {
    const { report } = await begin(actor, onlyAutoDisabled);
    return report;
  }

  /** As `testAll`, for a caller who waits for the beginning only and is told about the end. */
  async function startTestAll(actor: Actor): Promise<void> {
    const { report } = await begin(actor, false);
    report.then(onManualRun).catch(onError);
  }

  /** How far the run has come, whichever process does it, or how the last one ended. */
  async function progress(actor: Actor): Promise<ChannelTestProgress> {
    requireRole(actor, role.admin);
    const { running, report } = await stage.read<StoredTestReport>(runName);
    return { ...(report ?? { ...emptyReport(), total: 0, finished: true }), running };
  }

  /** The page that shows it can wait; the run cannot. */
  const tell = (report: StoredTestReport) => stage.write(runName, report).catch(onError);

  async function begin(actor: Actor, onlyAutoDisabled: boolean): Promise<{ report: Promise<ChannelTestReport> }> {
    requireRole(actor, role.admin);
    const right = running ? undefined : await takeRun(runName);
    if (!right) throw new AppError('channel.testRunning');
    const report = run(onlyAutoDisabled, AbortSignal.any([stopping.signal, right.signal])).finally(async () => {
      await right.free();
      running = undefined;
    });
    running = report;
    return { report };
  }

  async function run(onlyAutoDisabled: boolean, signal: AbortSignal): Promise<ChannelTestReport> {
    const report: StoredTestReport = { ...emptyReport(), total: 0, finished: false };
    await tell(report);
    const where = onlyAutoDisabled ? mayComeBack : {};
    const attributes: (keyof ChannelRow)[] = ['id', 'type'];
    const found = await database.channels.findAll({ attributes, where, order: [['id', 'ASC']], raw: true });
    const rows = found.filter(({ type }) => !servesOnlyJobs(type));
    report.total = rows.length;
    await tell(report);
    for (const [index, { id }] of rows.entries()) {
      if (index > 0) await pause(pollingIntervalMs, undefined, { signal }).catch(() => undefined); // stopped: seen below
      if (signal.aborted) break;
      await testNext(id, report, signal, onlyAutoDisabled);
      if (!signal.aborted) await tell(report);
    }
    report.finished = !signal.aborted;
    if (report.finished) await tell(report);
    const { total: _total, finished: _finished, ...counts } = report;
    return counts;
  }

  async function testNext(
    id: number,
    report: ChannelTestReport,
    signal: AbortSignal,
    onlyAutoDisabled: boolean,
  ): Promise<void> {
    try {
      const { row, channel } = await stored(id);
      await testKeysOff(row, channel, report, signal);
      // One in service is among those that may come back for the sake of its keys, and is not judged.
      if (onlyAutoDisabled && row.status !== channelStatus.autoDisabled) return;
      const result = await probe.test(channel, undefined, signal);
      if (signal.aborted) return;
      report.tested++;
      if (result.ok) await record(row, result);
      else report.failed.push({ id, name: row.name, reason: result.reason });
      await judge(row, channel.keyId, result, report);
    } catch (error) {
      // Removed meanwhile, or its key does not open: the others are tested anyway.
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'object.notFound') onError(error);
    }
  }

  /** Those of several keys that went off by themselves: one that responds comes back. */
  async function testKeysOff(
    row: ChannelRow,
    channel: RoutedChannel,
    report: ChannelTestReport,
    signal: AbortSignal,
  ): Promise<void> {
    if (!options.get('AutomaticEnableChannelEnabled')) return;
    for (const { id, status } of readPool(row)?.keys ?? []) {
      if (status !== channelStatus.autoDisabled || id === channel.keyId || signal.aborted) continue;
      const { ok } = await probe.test(withKey(channel, id), undefined, signal);
      if (ok && (await channels.recordSuccess(row.id, id))) report.enabled++;
    }
  }

  async function judge(row: ChannelRow, keyId: number, result: ChannelTest, report: ChannelTestReport): Promise<void> {
    const threshold = options.get('ChannelDisableThreshold');
    // A line of ours that is down makes every channel slow: without a connection the time says nothing about the channel.
    const isSlow = threshold > 0 && result.reached && result.ms > threshold * 1000;
    if (row.status === channelStatus.enabled) {
      const { error, reached } = result;
      const hasFailed = error !== undefined && reached && (await channels.recordFailure(row.id, error, keyId));
      const reason = coded('channel.slow', { seconds: (result.ms / 1000).toFixed(2), limit: threshold });
      if (hasFailed || (isSlow && (await channels.disableAutomatically(row.id, reason)))) report.disabled++;
    }
    if (
      row.status === channelStatus.autoDisabled &&
      result.ok &&
      !isSlow &&
      (await channels.recordSuccess(row.id, keyId))
    )
      report.enabled++;
  }

  /** A row of its own type: it is not a user's request and costs nothing. */
  async function record(row: ChannelRow, { model, ms }: ChannelTest): Promise<void> {
    if (!options.get('LogConsumeEnabled')) return;
    const user = await database.users.findByPk(testUserId, { attributes: ['username'], raw: true });
    await database.logs.create({
      user_id: testUserId,
      username: user?.username ?? '',
      created_at: now(),
      type: logType.test,
      content: testTokenName,
      token_name: testTokenName,
      model_name: model,
      quota: 0,
      use_time: Math.round(ms / 1000),
      channel_id: row.id,
      group: 'default',
      other: JSON.stringify({ channel_test: true, duration_ms: ms }),
    });
  }

  return {
    test,
    testAll,
    startTestAll,
    progress,
    isTesting: () => running !== undefined,
    /** Ends a run at the next chance and resolves when it is over. */
    async stop() {
      stopping.abort();
      await running?.catch(() => undefined); // the caller who started the run is told
    },
  };
}

/** Channels that went off by themselves, and those with a key that did. What was switched off by hand is not called. */
const mayComeBack = {
  status: { [Op.ne]: channelStatus.disabled },
  [Op.or]: [{ status: channelStatus.autoDisabled }, { key_pool: { [Op.like]: '%"status":3%' } }],
};

const emptyReport = (): ChannelTestReport => ({ tested: 0, failed: [], disabled: 0, enabled: 0 });
