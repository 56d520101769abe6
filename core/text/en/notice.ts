import audit from './notice/audit.json' with { type: 'json' };
import event from './notice/event.json' with { type: 'json' };
import log from './notice/log.json' with { type: 'json' };
import mail from './notice/mail.json' with { type: 'json' };
import page from './notice/page.json' with { type: 'json' };

export const notice = {
  ...audit,
  ...event,
  ...log,
  ...mail,
  ...page,
};
