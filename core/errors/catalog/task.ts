import type { CatalogEntry } from './entry.ts';

export const taskErrors = {
  'task.unknownAction': {
    status: 400,
    wire: 'invalid_request',
    en: '{action} is not an action of this interface. Use one of: {allowed}.',
    zh: '不支持操作 {action}，可用操作：{allowed}。',
  },
  'task.notFound': {
    status: 400,
    wire: 'task_not_exist',
    en: 'You have no task {id}.',
    zh: '您没有任务 {id}。',
  },
  'task.channelDisabled': {
    status: 400,
    wire: 'task_channel_disable',
    en: 'The channel that served task {id} is disabled, so nothing can go on from it.',
    zh: '任务 {id} 所属渠道已被禁用，无法继续操作。',
  },
  'task.notFinished': {
    status: 400,
    wire: 'task_status_not_success',
    en: 'Task {id} has not succeeded yet, so nothing can go on from it.',
    zh: '任务 {id} 尚未成功，无法继续操作。',
  },
  'task.changeWrong': {
    status: 400,
    wire: 'content_parse_failed',
    en: 'content must be a task id and one of U1 to U4, V1 to V4 or R, such as "1320098173412546 U2".',
    zh: 'content 必须为任务 ID 加 U1 至 U4、V1 至 V4 或 R，例如 "1320098173412546 U2"。',
  },
  'task.pictureCount': {
    status: 400,
    wire: 'invalid_request',
    en: 'base64Array must hold {minimum} to {maximum} pictures.',
    zh: 'base64Array 必须包含 {minimum} 至 {maximum} 张图片。',
  },
  'task.pictureUnknown': {
    status: 400,
    wire: 'midjourney_task_not_found',
    en: 'There is no such picture, or this link to it has ended. Fetch the task again for a new link.',
    zh: '图片不存在或链接已失效，请重新查询任务以获取新链接。',
  },
  'task.fileUnknown': {
    status: 404,
    wire: 'not_found',
    en: 'This task does not exist or has no such file.',
    zh: '任务不存在，或没有该文件。',
  },
  'task.fileUnreadable': {
    status: 502,
    wire: 'http_get_image_failed',
    en: 'The file could not be read from the upstream. Try again, or ask the operator whether it still exists there.',
    zh: '无法从上游读取该文件，请重试，或向管理员确认文件是否仍在上游。',
  },
  'task.notifyUrlWrong': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be an address with https:// or http://, at most {maximum} characters long.',
    zh: '{field} 必须为以 https:// 或 http:// 开头的地址，且不超过 {maximum} 个字符。',
  },
  'task.videoSize': {
    status: 400,
    wire: 'invalid_request',
    en: 'size must be width x height in pixels, such as 1280x720.',
    zh: 'size 必须为像素宽x高，例如 1280x720。',
  },
  'task.videoUnknown': {
    status: 404,
    wire: 'not_found',
    en: 'You have no video {id}.',
    zh: '您没有视频 {id}。',
  },
  'task.notReady': {
    status: 409,
    wire: 'task_not_ready',
    en: 'Task {id} is not finished yet. Ask again when its status says so.',
    zh: '任务 {id} 尚未完成，请待其状态为完成后再试。',
  },
  'task.alreadyOver': {
    status: 409,
    wire: 'task_already_over',
    en: 'Task {id} has already ended ({status}), so it cannot be canceled.',
    zh: '任务 {id} 已结束（{status}），无法取消。',
  },
  'task.cancelNotOffered': {
    status: 409,
    wire: 'task_cancel_not_offered',
    en: '{provider} cannot cancel a task that it has accepted. Task {id} runs until it ends.',
    zh: '{provider} 不支持取消已受理的任务，任务 {id} 将运行至结束。',
  },
  'task.cancelRefused': {
    status: 409,
    wire: 'task_cancel_refused',
    en: 'The provider did not cancel task {id}: {reason}',
    zh: '供应商未取消任务 {id}：{reason}',
  },
  'task.cancelUnconfirmed': {
    status: 502,
    wire: 'task_cancel_unconfirmed',
    en: 'The provider did not confirm that task {id} was canceled, so it is still running. Try again in a minute.',
    zh: '供应商未确认任务 {id} 已取消，任务仍在运行，请一分钟后重试。',
  },
  'task.providerGone': {
    status: 409,
    wire: 'task_provider_gone',
    en: 'The provider of task {id} can no longer be asked about it. The task fails and is refunded within a few minutes.',
    zh: '已无法向供应商查询任务 {id}，该任务将在几分钟内标记为失败并退款。',
  },
  'task.providerTrouble': {
    status: 502,
    wire: 'task_provider_trouble',
    en: 'The provider of task {id} cannot be reached now. Try again later, or tell the administrator.',
    zh: '暂时无法联系任务 {id} 的供应商，请稍后重试，或联系管理员。',
  },
} satisfies Record<string, CatalogEntry>;
