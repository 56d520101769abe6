import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { maskReasons } from '../../errors/mask-reason.ts';
import { maskText } from '../../errors/mask-text.ts';
import type { FetchedBytes, Outbound } from '../../integrations/outbound/outbound.ts';
import { UpstreamFailure } from '../../integrations/outbound/upstream-failure.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { TaskAdapter, TaskReport, TaskRequest } from '../../providers/task/adapter.ts';
import { taskAdapterFor } from '../../providers/task/registry.ts';
import { reportsById } from '../../providers/task/report.ts';
import { taskStatus } from '../../schemas/task-status.ts';
import { createStoredChannels } from '../channel/probe.ts';
import type { RoutedChannel } from '../routing.ts';

interface TaskVendorDependencies {
  database: Database;
  secretBox: SecretBox;
  outbound: Pick<Outbound, 'fetchJson'>;
  /** RELAY_PROXY, for channels without a proxy of their own. */
  proxy: string | undefined;
}

/** The channel that a job runs on, and our code for its vendor. */
export interface TaskPlace {
  channel: RoutedChannel;
  adapter: TaskAdapter;
}

/** A response of any status; the body is undefined where it is not JSON. */
export type VendorResponse = Omit<FetchedBytes, 'body'> & { body: unknown };

export type TaskVendor = ReturnType<typeof createTaskVendor>;

const timeoutMs = 15_000;
const maxResponseBytes = 16 * 1024 * 1024;

/** Calls about jobs under way to the vendors that took them, enabled channel or not. */
export function createTaskVendor({ database, secretBox, outbound, proxy }: TaskVendorDependencies) {
  const channelOf = createStoredChannels({ database, secretBox });

  /** With the key that took the job. Undefined when the channel was removed, or became one of a type that sells no jobs. */
  async function find(channelId: number, keyId: number): Promise<TaskPlace | undefined> {
    try {
      const { channel } = await channelOf(channelId, keyId);
      const adapter = taskAdapterFor(channel.type);
      return adapter && { channel, adapter };
    } catch (error) {
      if (error instanceof AppError && error.code === 'object.notFound') return undefined;
      throw error;
    }
  }

  function call(request: TaskRequest, { channel }: TaskPlace): Promise<VendorResponse> {
    const proxyInUse = channel.setting.proxy || proxy;
    return outbound.fetchJson(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      profile: channel.privateAllowed ? 'operatorPrivate' : 'operator',
      timeoutMs,
      maxBytes: maxResponseBytes,
      ...(proxyInUse && { proxy: proxyInUse }),
    });
  }

  /** The body of a response that is not a refusal. Throws the UpstreamError of one that is. */
  function accept({ status, headers, body }: VendorResponse, { channel, adapter }: TaskPlace): unknown {
    if (status >= 200 && status <= 299) return body;
    throw adapter.readError(status, body, headers, { secrets: [channel.key, channel.base_url] });
  }

  /** How jobs are doing, by the vendor's id; at most `adapter.maxIds` at a time. Jobs that the vendor does not name are left out. */
  async function reports(taskIds: readonly string[], place: TaskPlace): Promise<ReadonlyMap<string, TaskReport>> {
    const { adapter, channel } = place;
    // Several rows may be one job there: a window that was opened, and what it was filled with.
    const ids = [...new Set(taskIds)];
    try {
      const body = accept(await call(adapter.buildPoll(ids, channel), place), place);
      return byId(adapter.readPoll(body, ids), place);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      return reportsInHalves(ids, place);
    }
  }

  /** Vendors repeat what a job was begun with, such as a mask: a few large ones must not hide how all the others are doing. */
  async function reportsInHalves(ids: readonly string[], place: TaskPlace): Promise<ReadonlyMap<string, TaskReport>> {
    if (ids.length < 2) return new Map();
    const middle = Math.ceil(ids.length / 2);
    const [first, second] = [await reports(ids.slice(0, middle), place), await reports(ids.slice(middle), place)];
    return new Map([...first, ...second]);
  }

  /** What a response says of each job. Reasons go to users, in lists, mails and webhooks: without what only the operator may know. */
  function byId(said: readonly TaskReport[], { channel }: TaskPlace): ReadonlyMap<string, TaskReport> {
    const secrets = [channel.key, channel.base_url];
    const reports = [...reportsById(said).values()];
    const masked = reports.map(({ failReason, data, ...report }) => ({
      ...report,
      failReason: maskText(failReason, secrets),
      data: report.status === taskStatus.failure ? maskReasons(data, secrets) : data,
    }));
    return new Map(masked.map((report) => [report.taskId, report]));
  }

  return { find, call, accept, reports, byId };
}

const isTooLarge = (error: unknown) =>
  error instanceof AppError && error.cause instanceof UpstreamFailure && error.cause.kind === 'tooLarge';
