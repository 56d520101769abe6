import { defaultMaxLagSeconds, type PostgresTarget } from '../../../core/config/database.ts';
import { serviceNameOf } from '../../../core/config/telemetry.ts';
import type { Config } from '../../../core/config.ts';
import { shownDatabase } from '../../shown-database.ts';

export interface Setting {
  name: string;
  value: string;
  source: Config['sources'][string];
}

/** Under the names they are set by; what opens something is never printed. */
export function settingsOf(config: Config): Setting[] {
  const hidden = (value: string | undefined) => (value === undefined ? '' : '********');
  const seconds = (ms: number) => String(ms / 1000);
  const { database } = config;
  const values: Record<string, string> = {
    TOLLGATE_HOME: config.dataDirectory,
    SQL_DSN: database.engine === 'postgres' ? shownDatabase(database) : '',
    SQL_DIRECT_DSN: database.engine === 'postgres' ? shownDirect(database) : '',
    SQLITE_PATH: database.engine === 'sqlite' ? database.file : '',
    SQL_READ_DSN: config.readReplica ? shownDatabase({ engine: 'postgres', url: config.readReplica.url }) : '',
    SQL_READ_MAX_LAG: String(config.readReplica?.maxLagSeconds ?? defaultMaxLagSeconds),
    LOG_SQL_DSN: config.logDatabase ? shownDatabase(config.logDatabase) : '',
    HOST: config.host,
    PORT: String(config.port),
    REDIS_CONN_STRING: shownUrl(config.redisUrl),
    CRYPTO_SECRET: config.sources.CRYPTO_SECRET === 'default' ? 'master.key' : '********',
    TOLLGATE_ROOT_PASSWORD: hidden(config.rootPassword),
    GENERATE_ROOT_PASSWORD: String(config.generateRootPassword),
    INITIAL_ROOT_TOKEN: hidden(config.initialRootToken),
    INITIAL_ROOT_ACCESS_TOKEN: hidden(config.initialRootAccessToken),
    INITIAL_CHANNEL: hidden(config.initialChannel),
    GENERATE_DEFAULT_TOKEN: String(config.generateDefaultToken),
    TRUSTED_PROXIES: config.trustedProxies.join(','),
    UPSTREAM_PRIVATE: config.upstreamPrivate.join(','),
    METRICS_TOKEN: hidden(config.metricsToken),
    RELAY_TIMEOUT: seconds(config.relayTimeoutMs),
    STREAMING_TIMEOUT: seconds(config.streamingTimeoutMs),
    DRAIN_TIMEOUT: seconds(config.drainTimeoutMs),
    RELAY_BODY_LIMIT: String(config.relayBodyLimitBytes),
    RELAY_CALL_LIMIT: String(config.relayCallLimit),
    LOOP_DELAY_LIMIT: String(Number.isFinite(config.loopDelayLimitMs) ? config.loopDelayLimitMs : 0),
    GLOBAL_API_RATE_LIMIT_ENABLE: String(config.apiRateLimit !== undefined),
    GLOBAL_API_RATE_LIMIT: config.apiRateLimit ? String(config.apiRateLimit.calls) : '',
    GLOBAL_API_RATE_LIMIT_DURATION: config.apiRateLimit ? String(config.apiRateLimit.seconds) : '',
    GLOBAL_WEB_RATE_LIMIT_ENABLE: String(config.webRateLimit !== undefined),
    GLOBAL_WEB_RATE_LIMIT: config.webRateLimit ? String(config.webRateLimit.calls) : '',
    GLOBAL_WEB_RATE_LIMIT_DURATION: config.webRateLimit ? String(config.webRateLimit.seconds) : '',
    FRONTEND_BASE_URL: config.frontendBaseUrl ?? '',
    POLLING_INTERVAL: seconds(config.pollingIntervalMs),
    NOTIFY_LIMIT_COUNT: String(config.noticeLimit.count),
    NOTIFICATION_LIMIT_DURATION_MINUTE: String(config.noticeLimit.minutes),
    CHANNEL_TEST_FREQUENCY: String(config.channelTestMinutes),
    CHANNEL_UPDATE_FREQUENCY: String(config.channelUpdateMinutes),
    NODE_TYPE: config.isSlave ? 'slave' : 'master',
    FORCE_STREAM_OPTION: String(config.forceStreamOption),
    RELAY_PROXY: shownUrl(config.relayProxy),
    LOG_LEVEL: config.logLevel,
    LOG_FORMAT: config.logFormat,
    ...telemetrySettings(config.telemetryVariables),
  };
  return Object.entries(values).map(([name, value]) => ({ name, value, source: config.sources[name] ?? 'default' }));
}

/** Headers of a collector hold its secret. */
function telemetrySettings(variables: Config['telemetryVariables']): Record<string, string> {
  const shown = Object.entries(variables).map(([name, value]) => {
    if (name.endsWith('_ENDPOINT')) return [name, value && shownUrl(value)];
    return [name, name.endsWith('_HEADERS') && value ? '********' : value];
  });
  return { ...Object.fromEntries(shown), OTEL_SERVICE_NAME: serviceNameOf(variables) };
}

const shownDirect = ({ directUrl }: PostgresTarget): string =>
  directUrl === undefined ? '' : shownDatabase({ engine: 'postgres', url: directUrl });

function shownUrl(text: string | undefined): string {
  if (text === undefined) return '';
  if (!URL.canParse(text)) return '********';
  const url = new URL(text);
  if (url.password) url.password = '********';
  return url.href;
}
