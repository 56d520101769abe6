import { coded } from '../text/coded.ts';
import type { Read } from './reader.ts';
import { type TelemetryVariables, withoutEndpoint } from './telemetry.ts';

/** A setting that is taken, and what is to be said about it. */
export interface SettingWarning {
  name: string;
  /** A coded text. */
  text: string;
}

/** Known from one-api; setting one gives a warning. */
export const variablesWithoutEffect = [
  'BATCH_UPDATE_ENABLED',
  'BATCH_UPDATE_INTERVAL',
  'MEMORY_CACHE_ENABLED',
  'SYNC_FREQUENCY',
  'GIN_MODE',
] as const;

/** A shorter one can be tried out. */
const safeSecretLength = 16;

/** What a start and `config check` say about settings that they take as they are. */
export function settingWarnings(read: Read, telemetry: TelemetryVariables): SettingWarning[] {
  const isSet = (name: string) => read(name) !== undefined;
  return [
    ...variablesWithoutEffect.filter(isSet).map(withoutEffect),
    ...(isSet('SQL_DIRECT_DSN') && !isSet('SQL_DSN') ? [withoutOther('SQL_DIRECT_DSN', 'SQL_DSN')] : []),
    ...shortSecret('INITIAL_ROOT_ACCESS_TOKEN', read('INITIAL_ROOT_ACCESS_TOKEN')),
    ...withoutEndpoint(telemetry, isSet).map((name) => withoutOther(name, 'OTEL_EXPORTER_OTLP_ENDPOINT')),
  ];
}

function withoutEffect(name: string): SettingWarning {
  return { name, text: coded('input.noEffect', { name }) };
}

function withoutOther(name: string, other: string): SettingWarning {
  return { name, text: coded('input.noEffectWithout', { name, other }) };
}

function shortSecret(name: string, value: string | undefined): SettingWarning[] {
  if (value === undefined || value.length >= safeSecretLength) return [];
  const allowed = coded('input.minCharacters', { limit: safeSecretLength });
  return [{ name, text: coded('input.tooShort', { name, allowed }) }];
}
