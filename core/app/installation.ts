import type { Ledger } from '../billing/ledger.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import type { ReportDatabase } from '../database/report-database.ts';
import type { Authorizer } from '../integrations/credential/authorizer.ts';
import type { AddressRules } from '../integrations/outbound/address-rules.ts';
import type { Outbound } from '../integrations/outbound/outbound.ts';
import type { SignInEndpoints } from '../integrations/sign-in-endpoint.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { SecretBox } from '../lib/secret-box.ts';

/** What an opened installation consists of before its services are built. */
export interface Installation {
  config: Config;
  logger: Logger;
  database: Database;
  /** For lists and reports. */
  reports: ReportDatabase;
  ledger: Ledger;
  secretBox: SecretBox;
  addressRules: AddressRules;
  outbound: Outbound;
  authorizer: Authorizer;
  signInEndpoints: SignInEndpoints;
  /** Unix seconds, the same on every node. */
  now: Clock;
}

/** For errors that are logged as warnings and stop nothing. */
export const warn = (logger: Logger, text: string) => (error: unknown) => logger.log('warn', text, {}, error);
