import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import type { OptionService } from '../option/option.ts';
import type { RunRight } from './check.ts';
import { type ChannelProbe, createStoredChannels, reachOf } from './probe.ts';
import type { RunProgress } from './run-progress.ts';
import type { ChannelStateService } from './state.ts';

interface ChannelBalanceDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  channels: Pick<ChannelStateService, 'disableAutomatically'>;
  probe: Pick<ChannelProbe, 'balance'>;
  pollingIntervalMs: number;
  /** The right to ask for all balances, of one process at a time; undefined while another has it. */
  takeRun(name: string): Promise<RunRight | undefined>;
  progress: RunProgress;
  onError(error: unknown): void;
  now?: Clock;
}

export interface BalanceReport {
  updated: number;
  /** Channels whose vendor tells no balance are not among them. */
  failed: { id: number; name: string; reason: string }[];
  disabled: number;
}

interface StoredBalanceReport extends BalanceReport {
  /** Channels that were there when the run began. */
  total: number;
  /** Channels it is through with. */
  asked: number;
  /** It came to its end; one that was stopped, or whose process is gone, did not. */
  finished: boolean;
}

interface BalanceProgress extends StoredBalanceReport {
  running: boolean;
}

/** US dollars; `keyId` is 0 for a channel with one key. */
interface KeyBalance {
  keyId: number;
  balance: number;
}

interface KeyFailure {
  keyId: number;
  error: AppError;
}

interface ReadBalances {
  balances: KeyBalance[];
  /** Why some of several keys could not be asked, or nothing. */
  failure: AppError | undefined;
}

/** Further keys that failed are only counted. */
const namedKeys = 3;

const sumOf = (balances: KeyBalance[]): number => balances.reduce((sum, { balance }) => sum + balance, 0);

const runName = 'update-all-balances';
const emptyReport = (): BalanceReport => ({ updated: 0, failed: [], disabled: 0 });

export type ChannelBalanceService = ReturnType<typeof createChannelBalanceService>;

/** What is left on the accounts behind the channels, in US dollars. */
export function createChannelBalanceService(dependencies: ChannelBalanceDependencies) {
  const { database, options, channels, probe, pollingIntervalMs, takeRun, now = nowSeconds } = dependencies;
  const { progress: stage, onError } = dependencies;
  const stored = createStoredChannels(dependencies);
  const stopping = new AbortController();
  let running: Promise<BalanceReport> | undefined;

  async function updateBalance(actor: Actor, id: number): Promise<number> {
    requireRole(actor, role.admin);
    const { balances, failure } = await readBalances(id);
    if (failure) throw failure;
    return sumOf(balances);
  }

  /** Of several keys each that is on; the channel's balance is the sum of those that could be read. */
  async function readBalances(id: number): Promise<ReadBalances> {
    const { channel } = await stored(id);
    const keys = channel.pool && channel.pool.on.length > 0 ? channel.pool.on : [channel];
    const balances: KeyBalance[] = [];
    const failures: KeyFailure[] = [];
    for (const one of keys) {
      try {
        // Vendors that bill in yuan are counted at the rate the operator sells at.
        const balance = await probe.balance(one, reachOf(one), options.get('Price') || 1);
        balances.push({ keyId: one.keyId, balance });
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'channel.noBalance' || keys.length === 1) throw error;
        failures.push({ keyId: one.keyId, error });
      }
    }
    if (balances.length > 0)
      await database.channels.update({ balance: sumOf(balances), balance_updated_time: now() }, { where: { id } });
    return { balances, failure: failures.length > 0 ? failureOf(failures, keys.length) : undefined };
  }

  /** Enabled channels one after the other; one with nothing left goes off, whatever AutomaticDisableChannelEnabled says. */
  async function updateBalances(actor: Actor): Promise<BalanceReport> {
    const { report } = await begin(actor);
    return report;
  }

  /** As `updateBalances`, for a caller who waits for the beginning only and follows the progress. */
  async function startUpdateBalances(actor: Actor): Promise<void> {
    const { report } = await begin(actor);
    report.catch(onError);
  }

  /** How far the run has come, whichever process does it, or how the last one ended. */
  async function progress(actor: Actor): Promise<BalanceProgress> {
    requireRole(actor, role.admin);
    const { running, report } = await stage.read<StoredBalanceReport>(runName);
    return { ...(report ?? { ...emptyReport(), total: 0, asked: 0, finished: true }), running };
  }

  /** The page that shows it can wait; the run cannot. */
  const tell = (report: StoredBalanceReport) => stage.write(runName, report).catch(onError);

  async function begin(actor: Actor): Promise<{ report: Promise<BalanceReport> }> {
    requireRole(actor, role.admin);
    const right = running ? undefined : await takeRun(runName);
    if (!right) throw new AppError('channel.balanceRunning');
    const report = run(AbortSignal.any([stopping.signal, right.signal])).finally(async () => {
      await right.free();
      running = undefined;
    });
    running = report;
    return { report };
  }

  async function run(signal: AbortSignal): Promise<BalanceReport> {
    const report: StoredBalanceReport = { ...emptyReport(), total: 0, asked: 0, finished: false };
    await tell(report);
    const where = { status: channelStatus.enabled };
    const rows = await database.channels.findAll({
      attributes: ['id', 'name'],
      where,
      order: [['id', 'ASC']],
      raw: true,
    });
    report.total = rows.length;
    for (const { id, name } of rows) {
      if (signal.aborted) break;
      const wasRead = await updateNext({ id, name }, report);
      report.asked++;
      await tell(report);
      if (wasRead) await pause(pollingIntervalMs, undefined, { signal }).catch(() => undefined); // stopped: seen above
    }
    report.finished = !signal.aborted;
    if (report.finished) await tell(report);
    const { updated, failed, disabled } = report;
    return { updated, failed, disabled };
  }

  async function updateNext({ id, name }: { id: number; name: string }, report: BalanceReport) {
    try {
      const { balances, failure } = await readBalances(id);
      if (failure) report.failed.push({ id, name, reason: failure.coded });
      else report.updated++;
      for (const { keyId, balance } of balances.filter((one) => one.balance <= 0)) {
        const reason = coded('channel.balanceUsedUp', { balance });
        if (await channels.disableAutomatically(id, reason, keyId)) report.disabled++;
      }
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'channel.noBalance' || error.code === 'object.notFound') return false;
      report.failed.push({ id, name, reason: error.coded });
      return true;
    }
  }

  return {
    updateBalance,
    updateBalances,
    startUpdateBalances,
    progress,
    /** Ends a run at the next chance and resolves when it is over. */
    async stop() {
      stopping.abort();
      await running?.catch(() => undefined); // the caller who started the run is told
    },
  };
}

function failureOf(failures: readonly KeyFailure[], total: number): AppError {
  const reasons = failures
    .slice(0, namedKeys)
    .map(({ keyId, error }) => coded('channel.keyFailed', { number: keyId, reason: error.coded }));
  return new AppError('channel.balanceKeys', { failed: failures.length, total, reason: reasons.join(' ') });
}
