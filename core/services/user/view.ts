import type { UserRow } from '../../database/models/user.ts';
import type { User } from '../../schemas/user.ts';
import { foreignSetting, ownSetting } from '../../schemas/user-setting.ts';

/** To the user the row is about. */
export function ownView(row: UserRow): User {
  return { ...userView(row), setting: ownSetting(row.setting) };
}

/** To others. Built field by field: a column added later is not shown until it is listed here. */
export function userView(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    password: '',
    display_name: row.display_name,
    role: row.role,
    status: row.status,
    email: row.email,
    github_id: row.github_id,
    wechat_id: row.wechat_id,
    telegram_id: row.telegram_id,
    linux_do_id: row.linux_do_id,
    oidc_id: row.oidc_id,
    verification_code: '',
    access_token: null,
    quota: row.quota,
    used_quota: row.used_quota,
    request_count: row.request_count,
    group: row.group,
    aff_code: row.aff_code ?? '',
    aff_count: row.aff_count,
    aff_quota: row.aff_quota,
    aff_history_quota: row.aff_history,
    inviter_id: row.inviter_id,
    setting: foreignSetting(row.setting),
    created_time: row.created_time,
    last_login_time: row.last_login_time,
    DeletedAt: deletedAt(row.deleted_at),
  };
}

export function deletedAt(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}
