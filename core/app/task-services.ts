import { createTaskCancel } from '../services/task/cancel.ts';
import { createDrawingService } from '../services/task/drawing.ts';
import { createDrawingLinks } from '../services/task/drawing-link.ts';
import { createTaskEvents } from '../services/task/event.ts';
import { createTaskNotices } from '../services/task/notice.ts';
import { createTaskProgress } from '../services/task/progress.ts';
import { createTaskStore } from '../services/task/store.ts';
import { createTaskService } from '../services/task/task.ts';
import { createTaskVendor } from '../services/task/vendor.ts';
import { midjourneyTask } from '../wire/midjourney/index.ts';
import { videoTask } from '../wire/openai-video/index.ts';
import { sunoTask } from '../wire/suno/index.ts';
import type { CommonServices } from './common-services.ts';
import { type Installation, warn } from './installation.ts';
import type { NoticeServices } from './notice-services.ts';

/** Drawing, music and video: a fourth kind of task is one more entry here. */
const kinds = [sunoTask, midjourneyTask, videoTask];

export function createTaskServices({
  now,
  config,
  logger,
  database,
  secretBox,
  outbound,
  options,
  audit,
  notices,
  delivery,
}: Installation & CommonServices & NoticeServices) {
  const drawingLinks = createDrawingLinks({ now, secretBox, options });
  const store = createTaskStore({ database });
  const vendor = createTaskVendor({ database, secretBox, outbound, proxy: config.relayProxy });
  const taskProgress = createTaskProgress({
    now,
    database,
    store,
    vendor,
    kinds,
    onError: warn(logger, 'an upstream could not be asked about its tasks'),
  });
  const taskNotices = createTaskNotices({
    now,
    database,
    secretBox,
    options,
    outbound,
    notices,
    delivery,
    store,
    events: createTaskEvents({ kinds, links: drawingLinks, options }),
    onFailure: (text, error) => logger.log('warn', text, {}, error),
  });
  return {
    drawingLinks,
    drawings: createDrawingService({ database, links: drawingLinks }),
    tasks: createTaskService({ database, kinds }),
    taskStore: store,
    taskProgress,
    taskNotices,
    taskCancel: createTaskCancel({ now, database, audit, vendor, apply: taskProgress.apply }),
  };
}
