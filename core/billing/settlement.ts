import { isStorable, storableText } from '../lib/storable-text.ts';
import type { ConsumptionLog, EndRow, NewTask } from './ledger-store.ts';

/** A call that is charged. */
export type Settlement = Omit<EndRow, 'counted'>;

/** A call that is not charged. */
export type HeldCall = Pick<Settlement, 'id' | 'userId' | 'tokenId' | 'budgets' | 'held'>;

export function toEndRow({
  id,
  userId,
  tokenId,
  channelId,
  actual,
  accessedAt,
  log,
  usage,
  task,
  budgets,
  held,
}: Settlement): EndRow {
  return {
    id,
    userId,
    tokenId,
    channelId,
    actual,
    counted: 1,
    accessedAt,
    log: log && cleanLog(log),
    usage: usage && {
      model_name: storableText(usage.model_name),
      username: storableText(usage.username),
      hour: usage.hour,
      token_used: usage.token_used,
    },
    task: task && cleanTask(task),
    budgets,
    held,
  };
}

export function toReleaseRow({ id, userId, tokenId, budgets, held }: HeldCall): EndRow {
  return { id, userId, tokenId, channelId: 0, actual: 0, counted: 0, accessedAt: 0, budgets, held };
}

/** A settlement must not fail over its text. */
function cleanTask(task: NewTask): NewTask {
  const cleaned = {
    task_id: storableText(task.task_id),
    properties: storableText(task.properties),
    data: storableText(task.data),
    notify_url: storableText(task.notify_url ?? ''),
  };
  return { ...task, ...cleaned, model: storableText(task.model), group: storableText(task.group) };
}

function cleanLog(log: ConsumptionLog): ConsumptionLog {
  const { content, username, token_name, model_name, group, other } = log;
  const isClean =
    isStorable(content) &&
    isStorable(username) &&
    isStorable(token_name) &&
    isStorable(model_name) &&
    isStorable(group) &&
    isStorable(other);
  if (isClean) return log;
  return {
    ...log,
    content: storableText(content),
    username: storableText(username),
    token_name: storableText(token_name),
    model_name: storableText(model_name),
    group: storableText(group),
    other: storableText(other),
  };
}
