import { AppError } from '../../errors/app-error.ts';
import type { TaskRequest } from '../../providers/task/adapter.ts';
import { taskAdapterFor } from '../../providers/task/registry.ts';
import { taskStatus } from '../../schemas/task-status.ts';
import { type RoutedChannel, withKey } from '../../services/routing.ts';
import type { OwnedTask } from '../../services/task/store.ts';
import { errorContext, parseOrText } from '../attempt/upstream-refusal.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import type { RelayDependencies } from '../run.ts';
import type { MadeFiles } from './made-file.ts';

interface VideoDependencies extends Pick<RelayDependencies, 'routing' | 'upstream' | 'options' | 'limits'> {
  files: MadeFiles;
}

const types = /^(video\/|image\/(png|jpeg|webp)\b|application\/octet-stream)/;
const maxBytes = 1024 * 1024 * 1024;
const deleteLimits = { headersMs: 30_000, idleMs: 30_000, totalMs: 30_000 };
const maxResponseBytes = 64 * 1024;

/** A finished video, which lies at the channel that made it. */
export function createVideoFiles({ routing, upstream, options, limits: { proxy }, files }: VideoDependencies) {
  function channelOf({ channelId, channelKey, task_id }: OwnedTask): RoutedChannel {
    const found = routing.channel(channelId);
    if (!found?.enabled) throw new AppError('task.channelDisabled', { id: task_id });
    return withKey(found.channel, channelKey);
  }

  /** Free: it was paid when the job was taken. */
  async function show(task: OwnedTask, variant: string, client: ClientWriter, range?: string): Promise<void> {
    if (task.status !== taskStatus.success) throw new AppError('task.notReady', { id: task.task_id });
    const channel = channelOf(task);
    const made = { taskId: task.task_id, data: task.data, variant };
    const content = taskAdapterFor(channel.type)?.buildContent?.(made, channel);
    if (!content) throw new AppError('task.fileUnreadable');
    const ownProfile = channel.privateAllowed ? 'operatorPrivate' : 'operator';
    await files.show(
      {
        url: content.request.url,
        headers: content.request.headers,
        types,
        maxBytes,
        cacheSeconds: 0,
        range,
        profile: content.isPublic ? 'user' : ownProfile,
        proxy: content.isPublic ? undefined : channel.setting.proxy || proxy,
        defaultType: 'video/mp4',
      },
      client,
    );
  }

  /** At the vendor's too, where that can be said; one that has forgotten it already is as good. */
  async function remove(task: OwnedTask): Promise<void> {
    const channel = channelOf(task);
    const request = taskAdapterFor(channel.type)?.buildDelete?.(task.task_id, channel);
    if (request) await ask(request, channel);
  }

  async function ask({ url, method, headers }: TaskRequest, channel: RoutedChannel): Promise<void> {
    const response = await upstream.send({
      url,
      method,
      headers,
      body: null,
      limits: deleteLimits,
      privateAllowed: channel.privateAllowed,
      proxy: channel.setting.proxy || proxy,
    });
    const text = (await response.readAll(maxResponseBytes)).toString('utf8');
    if ((response.status >= 200 && response.status <= 299) || response.status === 404) return;
    const adapter = taskAdapterFor(channel.type);
    if (adapter)
      throw adapter.readError(response.status, parseOrText(text), response.headers, errorContext({ channel, options }));
  }

  return { show, remove };
}
