import type { CatalogEntry } from './entry.ts';

export const taskErrors = {
  'task.unknownAction': { status: 400, wire: 'invalid_request' },
  'task.notFound': { status: 400, wire: 'task_not_exist' },
  'task.channelDisabled': { status: 400, wire: 'task_channel_disable' },
  'task.notFinished': { status: 400, wire: 'task_status_not_success' },
  'task.clipUnknown': { status: 400, wire: 'task_not_exist' },
  'task.changeWrong': { status: 400, wire: 'content_parse_failed' },
  'task.pictureCount': { status: 400, wire: 'invalid_request' },
  'task.pictureUnknown': { status: 400, wire: 'midjourney_task_not_found' },
  'task.fileUnknown': { status: 404, wire: 'not_found' },
  'task.fileUnreadable': { status: 502, wire: 'http_get_image_failed' },
  'task.notifyUrlWrong': { status: 400, wire: 'invalid_request' },
  'task.videoSize': { status: 400, wire: 'invalid_request' },
  'task.videoUnknown': { status: 404, wire: 'not_found' },
  'task.notReady': { status: 409, wire: 'task_not_ready' },
  'task.alreadyOver': { status: 409, wire: 'task_already_over' },
  'task.cancelNotOffered': { status: 409, wire: 'task_cancel_not_offered' },
  'task.cancelRefused': { status: 409, wire: 'task_cancel_refused' },
  'task.cancelUnconfirmed': { status: 502, wire: 'task_cancel_unconfirmed' },
  'task.providerGone': { status: 409, wire: 'task_provider_gone' },
  'task.providerTrouble': { status: 502, wire: 'task_provider_trouble' },
} as const satisfies Record<string, CatalogEntry>;
