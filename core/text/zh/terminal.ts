import account from './terminal/account.json' with { type: 'json' };
import batch from './terminal/batch.json' with { type: 'json' };
import channel from './terminal/channel.json' with { type: 'json' };
import explain from './terminal/explain.json' with { type: 'json' };
import flag from './terminal/flag.json' with { type: 'json' };
import help from './terminal/help.json' with { type: 'json' };
import limit from './terminal/limit.json' with { type: 'json' };
import move from './terminal/move.json' with { type: 'json' };
import option from './terminal/option.json' with { type: 'json' };
import pricing from './terminal/pricing.json' with { type: 'json' };
import result from './terminal/result.json' with { type: 'json' };
import screen from './terminal/screen.json' with { type: 'json' };
import tui from './terminal/tui.json' with { type: 'json' };
import tuiChannel from './terminal/tui-channel.json' with { type: 'json' };
import tuiLimit from './terminal/tui-limit.json' with { type: 'json' };
import tuiLog from './terminal/tui-log.json' with { type: 'json' };
import tuiOption from './terminal/tui-option.json' with { type: 'json' };
import tuiOverview from './terminal/tui-overview.json' with { type: 'json' };
import tuiPricing from './terminal/tui-pricing.json' with { type: 'json' };
import tuiRedemption from './terminal/tui-redemption.json' with { type: 'json' };
import tuiTask from './terminal/tui-task.json' with { type: 'json' };
import tuiToken from './terminal/tui-token.json' with { type: 'json' };
import tuiUsage from './terminal/tui-usage.json' with { type: 'json' };
import tuiUser from './terminal/tui-user.json' with { type: 'json' };
import upkeep from './terminal/upkeep.json' with { type: 'json' };

export const terminal = {
  ...account,
  ...batch,
  ...channel,
  ...explain,
  ...flag,
  ...help,
  ...limit,
  ...move,
  ...option,
  ...pricing,
  ...result,
  ...screen,
  ...tui,
  ...tuiChannel,
  ...tuiLimit,
  ...tuiLog,
  ...tuiOption,
  ...tuiOverview,
  ...tuiRedemption,
  ...tuiPricing,
  ...tuiTask,
  ...tuiUsage,
  ...tuiToken,
  ...tuiUser,
  ...upkeep,
};
