import { describe, expect, it } from 'vitest';
import { role } from '../../../core/schemas/actor.ts';
import { channelSchema } from '../../../core/schemas/channel.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import { drawingSchema } from '../../../core/schemas/drawing.ts';
import { logSchema } from '../../../core/schemas/log.ts';
import { logType } from '../../../core/schemas/log-type.ts';
import { priceListSchema } from '../../../core/schemas/price-list.ts';
import { redemptionSchema, redemptionStatus } from '../../../core/schemas/redemption.ts';
import { taskSchema } from '../../../core/schemas/task.ts';
import { tokenSchema, tokenStatus } from '../../../core/schemas/token.ts';
import { usageDataSchema } from '../../../core/schemas/usage-data.ts';
import { userSchema, userStatus } from '../../../core/schemas/user.ts';

/** Every response of the tests is held against these schemas, so a field that stands here is in the responses. */
const objects: [lines: string, shape: object, fields: string][] = [
  [
    'A-128 A-129 G-123',
    userSchema.shape,
    'id username password display_name role status email github_id wechat_id telegram_id linux_do_id verification_code access_token quota used_quota request_count group aff_code aff_count aff_quota aff_history_quota inviter_id DeletedAt oidc_id setting',
  ],
  [
    'G-101 G-102 G-104 G-106',
    channelSchema.shape,
    'id type key openai_organization test_model status name weight created_time test_time response_time base_url other balance balance_updated_time models group used_quota model_mapping status_code_mapping priority auto_ban other_info tag setting param_override max_input_tokens expired_time',
  ],
  [
    'G-108 G-109',
    tokenSchema.shape,
    'id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota model_limits_enabled model_limits allow_ips used_quota group DeletedAt',
  ],
  [
    'G-114 G-115',
    redemptionSchema.shape,
    'id user_id key status name quota created_time redeemed_time count used_user_id DeletedAt',
  ],
  [
    'G-116 G-117',
    logSchema.shape,
    'id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens use_time is_stream channel token_id group other channel_name',
  ],
  [
    'G-119',
    drawingSchema.shape,
    'id code user_id action mj_id prompt prompt_en description state submit_time start_time finish_time image_url status progress fail_reason channel_id quota buttons properties',
  ],
  [
    'G-120',
    taskSchema.shape,
    'id created_at updated_at task_id platform user_id channel_id quota action status fail_reason submit_time start_time finish_time progress properties data',
  ],
  [
    'G-121 G-122',
    priceListSchema.shape.data.element.shape,
    'model_name quota_type model_ratio model_price owner_by completion_ratio enable_groups',
  ],
  ['the hourly sums', usageDataSchema.shape, 'id user_id username model_name created_at token_used count quota'],
];

describe('the objects consoles read', () => {
  it.each(objects)('%s have every field, also when it is empty', (_lines, shape, fields) => {
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(fields.split(' ')));
  });

  it('A-137 A-140 G-124 G-131 G-135 G-137 have the numbers consoles know for their states', () => {
    expect(role).toMatchObject({ user: 1, admin: 10, root: 100 });
    expect(userStatus).toEqual({ enabled: 1, disabled: 2 });
    expect(channelStatus).toEqual({ enabled: 1, disabled: 2, autoDisabled: 3 });
    expect(tokenStatus).toEqual({ enabled: 1, disabled: 2, expired: 3, exhausted: 4 });
    expect(redemptionStatus).toEqual({ unused: 1, disabled: 2, used: 3 });
    expect(logType).toEqual({ topUp: 1, consume: 2, manage: 3, system: 4, error: 5, test: 9 });
  });
});
