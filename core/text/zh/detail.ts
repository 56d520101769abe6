import body from './detail/body.json' with { type: 'json' };
import channel from './detail/channel.json' with { type: 'json' };
import firstToken from './detail/first-token.json' with { type: 'json' };
import form from './detail/form.json' with { type: 'json' };
import health from './detail/health.json' with { type: 'json' };
import input from './detail/input.json' with { type: 'json' };
import issue from './detail/issue.json' with { type: 'json' };
import limit from './detail/limit.json' with { type: 'json' };
import move from './detail/move.json' with { type: 'json' };
import noun from './detail/noun.json' with { type: 'json' };
import task from './detail/task.json' with { type: 'json' };
import token from './detail/token.json' with { type: 'json' };
import type from './detail/type.json' with { type: 'json' };
import upstream from './detail/upstream.json' with { type: 'json' };

export const detail = {
  ...body,
  ...channel,
  ...firstToken,
  ...form,
  ...health,
  ...input,
  ...issue,
  ...limit,
  ...move,
  ...noun,
  ...task,
  ...token,
  ...type,
  ...upstream,
};
