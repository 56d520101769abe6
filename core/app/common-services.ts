import { checkChannelBaseUrl } from '../integrations/outbound/address-rules.ts';
import { createAuditService } from '../services/audit.ts';
import { createGroupService } from '../services/group/group.ts';
import { createGroupSettings } from '../services/group/setting.ts';
import { createUserGroups } from '../services/group/user-group.ts';
import { createHealthService } from '../services/health/health.ts';
import { createLogService } from '../services/log/log.ts';
import { createObjectNameService } from '../services/object-name.ts';
import { createOptionService } from '../services/option/option.ts';
import { createOptionTransfer } from '../services/option/transfer.ts';
import { createOverviewService } from '../services/overview/overview.ts';
import { createUsageDataService } from '../services/usage/usage-data.ts';
import { createUsageReportService } from '../services/usage/usage-report.ts';
import type { Installation } from './installation.ts';

/** Settings, groups and records: what nearly every other service reads or writes. */
export function createCommonServices({ now, database, reports, secretBox, addressRules }: Installation) {
  const audit = createAuditService({ now, database });
  const checkAddress = (address: string, privateAllowed: boolean) =>
    checkChannelBaseUrl(address, privateAllowed ? 'operatorPrivate' : 'operator', addressRules);
  const options = createOptionService({
    now,
    database,
    secretBox,
    audit,
    checkAddress: (address) => void checkAddress(address, true),
  });
  const groups = createGroupService({ options });
  const logs = createLogService({ now, database, reports, secretBox, audit });
  return {
    audit,
    checkAddress,
    options,
    optionTransfer: createOptionTransfer({ options, audit }),
    groups,
    groupSettings: createGroupSettings({ database, options }),
    userGroups: createUserGroups({ database, groups }),
    logs,
    objectNames: createObjectNameService({ database }),
    health: createHealthService({ now, database }),
    overview: createOverviewService({ now, database, reports, secretBox, audit, options, logs }),
    usageData: createUsageDataService({ now, reports }),
    usageReport: createUsageReportService({ now, reports }),
  };
}

export type CommonServices = ReturnType<typeof createCommonServices>;
