import type { Migration } from '../core/database/migrate.ts';
import { initial } from './0001-initial.ts';
import { ledgerFunctions } from './0002-ledger-functions.ts';
import { logIndexes } from './0003-log-indexes.ts';
import { accountSafety } from './0004-account-safety.ts';
import { leanHolds } from './0005-lean-holds.ts';
import { outsideIdsAndOrders } from './0006-outside-ids-and-orders.ts';
import { storedResponses } from './0007-stored-responses.ts';
import { notices } from './0008-notices.ts';
import { signInGuard } from './0009-sign-in-guard.ts';
import { ledgerEvidence } from './0010-ledger-evidence.ts';
import { runProgress } from './0011-run-progress.ts';
import { emailKeys } from './0012-email-key.ts';
import { usernameSkeletons } from './0013-username-skeleton.ts';
import { channelStreamOptions } from './0014-channel-stream-options.ts';
import { paidTasks } from './0015-paid-task.ts';
import { drawingTasks } from './0016-drawing-task.ts';
import { taskNotices } from './0017-task-notice.ts';
import { logCodes } from './0018-log-code.ts';
import { switchOffReasons } from './0019-switch-off-reason.ts';
import { searchIndexes } from './0020-search-indexes.ts';
import { channelKeys } from './0022-channel-keys.ts';
import { channelHealth } from './0023-channel-health.ts';
import { listedModels } from './0024-listed-models.ts';
import { takeoverMarks } from './0026-takeover-marks.ts';
import { limits } from './0027-limits.ts';
import { budgetHolds } from './0028-budget-holds.ts';
import { logPartitions } from './0029-log-partitions.ts';
import { liveOwners } from './0032-live-owner.ts';
import { moveMarks } from './0034-move-marks.ts';
import { logStore } from './0035-log-store.ts';
import { rolledHours } from './0036-rolled-hours.ts';
import { taskCharges } from './0037-task-charge.ts';
import { logMonthLock } from './0038-log-month-lock.ts';
import { ownersAhead } from './0039-owner-ahead.ts';
import { takeoverEarnings } from './0040-takeover-earning.ts';
import { takeoverClosings } from './0041-takeover-closing.ts';

/** In the order they run; a released migration is never edited. */
export const migrations: Migration[] = [
  initial,
  ledgerFunctions,
  logIndexes,
  accountSafety,
  leanHolds,
  outsideIdsAndOrders,
  storedResponses,
  notices,
  signInGuard,
  ledgerEvidence,
  runProgress,
  emailKeys,
  usernameSkeletons,
  channelStreamOptions,
  paidTasks,
  drawingTasks,
  taskNotices,
  logCodes,
  switchOffReasons,
  searchIndexes,
  channelKeys,
  channelHealth,
  listedModels,
  takeoverMarks,
  limits,
  budgetHolds,
  logPartitions,
  liveOwners,
  moveMarks,
  logStore,
  rolledHours,
  taskCharges,
  logMonthLock,
  ownersAhead,
  takeoverEarnings,
  takeoverClosings,
];
