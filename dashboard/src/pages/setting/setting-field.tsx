import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { definitionOf, type OptionKey } from '../../../../core/schemas/option.ts';
import { SelectField, SwitchField, TextAreaField, TextField } from '../../components/form/field.tsx';
import { JsonField } from '../../components/form/json-field.tsx';
import { useFormat } from '../../state/format.ts';
import { ContentField } from './content-field.tsx';
import { SecretField } from './secret-field.tsx';
import { fieldName, optionTexts } from './setting-form.ts';
import { choicesOf, contentOptions, quotaOptions } from './setting-layout.ts';
import { TagField } from './tag-field.tsx';

/** The field of an option, as its kind asks for. */
export function SettingField({ option }: { option: OptionKey }) {
  const { t, i18n } = useTranslation('setting');
  const { kind, secret } = definitionOf(option);
  const { label, hint } = optionTexts(option, i18n.language);
  const base = { name: fieldName(option), label, hint: hint || undefined };
  const choices = choicesOf[option];
  if (secret) return <SecretField option={option} {...base} />;
  if (choices) {
    return <SelectField {...base} choices={choices.map((value) => ({ value, text: t(`choice.${value}`) }))} />;
  }
  if (contentOptions.includes(option)) return <ContentField {...base} />;
  if (kind === 'boolean') return <SwitchField {...base} />;
  if (quotaOptions.includes(option)) return <QuotaField {...base} />;
  if (kind === 'number') return <TextField {...base} type="number" />;
  if (kind === 'list') return <TagField {...base} />;
  if (kind === 'lines') return <TextAreaField {...base} rows={6} />;
  if (kind === 'json') return <JsonField {...base} rows={6} />;
  // Left empty, it is what the browser's bar says.
  return <TextField {...base} placeholder={option === 'ServerAddress' ? location.origin : undefined} />;
}

/** In units, with what they are worth. */
function QuotaField({ name, label, hint }: { name: string; label: string; hint: string | undefined }) {
  const { t } = useTranslation('setting');
  const format = useFormat();
  const typed: unknown = useWatch({ name });
  const quota = Number(typed);
  const worth = Number.isFinite(quota) && quota > 0 ? t('worth', { amount: format.quota(quota) }) : undefined;
  return <TextField {...{ name, label }} type="number" hint={worth ?? hint} />;
}

/** Fields that need the width of their card. */
export const isWideField = (option: OptionKey): boolean =>
  ['json', 'lines', 'list'].includes(definitionOf(option).kind) || contentOptions.includes(option);
