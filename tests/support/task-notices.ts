import { createOutbound, type FetchOptions } from '../../core/integrations/outbound/outbound.ts';
import { createDrawingLinks } from '../../core/services/task/drawing-link.ts';
import { createTaskEvents } from '../../core/services/task/event.ts';
import { createTaskNotices } from '../../core/services/task/notice.ts';
import { createTaskStore } from '../../core/services/task/store.ts';
import { midjourneyTask } from '../../core/wire/midjourney/index.ts';
import { videoTask } from '../../core/wire/openai-video/index.ts';
import { sunoTask } from '../../core/wire/suno/index.ts';

type Needed = Omit<Parameters<typeof createTaskNotices>[0], 'outbound' | 'store' | 'events'>;

/**
 * The service as the server has it, with one difference: its calls go to the receiver of the test, which is on loopback, where no
 * user's webhook may lead. The host that was asked for becomes the first part of the path.
 */
export function openTaskNotices(needed: Needed, receiverUrl: string) {
  const { now, database, secretBox, options } = needed;
  const outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
  const asked: FetchOptions[] = [];
  const fetchBytes = (address: string, given: FetchOptions) => {
    asked.push(given);
    const { host, pathname } = new URL(address);
    return outbound.fetchBytes(`${receiverUrl}/${host}${pathname}`, { ...given, profile: 'operatorPrivate' });
  };
  const links = createDrawingLinks({ now, secretBox, options });
  const notices = createTaskNotices({
    ...needed,
    outbound: { fetchBytes },
    store: createTaskStore({ database }),
    events: createTaskEvents({ kinds: [sunoTask, midjourneyTask, videoTask], links, options }),
  });
  return { sendDue: notices.sendDue, asked, close: outbound.close };
}
