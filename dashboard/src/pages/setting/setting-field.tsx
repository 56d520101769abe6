import { Text } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { definitionOf, type OptionKey } from '../../../../core/schemas/option.ts';
import { SelectField, SwitchField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { JsonField } from '../../components/form/json-field.tsx';
import { MoneyField } from '../../components/form/money-field.tsx';
import { useOptionText } from '../../i18n/option-text.ts';
import { ContentField } from './content-field.tsx';
import { SecretField } from './secret-field.tsx';
import { fieldName } from './setting-form.ts';
import { TagField } from './tag-field.tsx';
import { TimeZoneField } from './time-zone-field.tsx';

/** The field of an option, as its kind asks for. */
export function SettingField({ option }: { option: OptionKey }) {
  const { t } = useTranslation('setting');
  const { kind, secret, unit, choices, isPage } = definitionOf(option);
  const base = { name: fieldName(option), ...useOptionText()(option) };
  if (secret) return <SecretField option={option} {...base} />;
  if (choices) {
    return <SelectField {...base} choices={choices.map((value) => ({ value, text: t(`option:choice.${value}`) }))} />;
  }
  if (isPage) return <ContentField {...base} />;
  if (kind === 'boolean') return <SwitchField {...base} />;
  const after = unit && <Text size={200}>{t(`option:unit.${unit}`)}</Text>;
  if (unit === 'quota') return <MoneyField {...base} />;
  if (kind === 'number') return <TextField {...base} type="number" contentAfter={after} />;
  if (kind === 'list') return <TagField {...base} />;
  if (kind === 'lines') return <TextAreaField {...base} rows={6} />;
  if (kind === 'json') return <JsonField {...base} rows={6} />;
  if (option === 'LimitTimeZone') return <TimeZoneField {...base} />;
  // Left empty, it is what the browser's bar says.
  return <TextField {...base} placeholder={option === 'ServerAddress' ? location.origin : undefined} />;
}

/** Fields that need the width of their card. */
export const isWideField = (option: OptionKey): boolean =>
  ['json', 'lines', 'list'].includes(definitionOf(option).kind) || definitionOf(option).isPage === true;
