import { AppError } from '../../errors/app-error.ts';
import { imageSeedRequest, midjourney } from '../../providers/task/midjourney/index.ts';
import { withKey } from '../../services/routing.ts';
import type { KnownTask } from '../../wire/task-kind.ts';
import { errorContext, parseOrText } from '../attempt/upstream-refusal.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import { jsonHeaders } from '../deliver/respond.ts';
import type { FreeCall } from '../free-call/free-call.ts';
import type { RelayDependencies } from '../run.ts';

type SeedDependencies = Pick<RelayDependencies, 'routing' | 'upstream' | 'options' | 'limits'>;

const limits = { headersMs: 30_000, idleMs: 30_000, totalMs: 30_000 };
const maxResponseBytes = 64 * 1024;

/** The seed of a picture is known to the channel that made it, and costs nothing. */
export function createImageSeed({ routing, upstream, options, limits: { proxy } }: SeedDependencies) {
  return async function imageSeed(
    call: FreeCall,
    task: KnownTask & { channelId: number; channelKey: number },
    client: ClientWriter,
  ): Promise<void> {
    const found = routing.channel(task.channelId);
    if (!found?.enabled) throw new AppError('task.channelDisabled', { id: task.task_id });
    const channel = withKey(found.channel, task.channelKey);
    const asked = upstream.start({
      ...imageSeedRequest(task.task_id, channel),
      body: null,
      limits,
      privateAllowed: channel.privateAllowed,
      proxy: channel.setting.proxy || proxy,
    });
    client.onGone(() => asked.abort());
    const response = await asked.response;
    const body = await response.readAll(maxResponseBytes);
    if (response.status < 200 || response.status > 299) {
      const said = parseOrText(body.toString('utf8'));
      throw midjourney.readError(response.status, said, response.headers, errorContext({ channel, options }));
    }
    client.respond(200, jsonHeaders(call.id, body.length), body);
  };
}
