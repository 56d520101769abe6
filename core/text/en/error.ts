import account from './error/account.json' with { type: 'json' };
import archive from './error/archive.json' with { type: 'json' };
import billing from './error/billing.json' with { type: 'json' };
import body from './error/body.json' with { type: 'json' };
import channel from './error/channel.json' with { type: 'json' };
import chat from './error/chat.json' with { type: 'json' };
import explain from './error/explain.json' with { type: 'json' };
import installation from './error/installation.json' with { type: 'json' };
import limit from './error/limit.json' with { type: 'json' };
import logStore from './error/log-store.json' with { type: 'json' };
import move from './error/move.json' with { type: 'json' };
import option from './error/option.json' with { type: 'json' };
import outside from './error/outside.json' with { type: 'json' };
import realtime from './error/realtime.json' with { type: 'json' };
import relay from './error/relay.json' with { type: 'json' };
import task from './error/task.json' with { type: 'json' };
import terminal from './error/terminal.json' with { type: 'json' };
import upkeep from './error/upkeep.json' with { type: 'json' };
import wallet from './error/wallet.json' with { type: 'json' };

export const error = {
  ...account,
  ...archive,
  ...billing,
  ...body,
  ...channel,
  ...chat,
  ...explain,
  ...installation,
  ...limit,
  ...logStore,
  ...move,
  ...option,
  ...outside,
  ...realtime,
  ...relay,
  ...task,
  ...terminal,
  ...upkeep,
  ...wallet,
};
