import { useTranslation } from 'react-i18next';
import { useTypeName } from './channel-type.ts';

/** The API's fields of a channel, by the text of their labels in the form. */
const labels: Record<string, string> = {
  name: 'field.name',
  type: 'field.type',
  base_url: 'field.baseUrl',
  other: 'field.other',
  openai_organization: 'field.organization',
  models: 'field.models',
  group: 'field.groups',
  test_model: 'field.testModel',
  tag: 'field.tag',
  priority: 'field.priority',
  weight: 'field.weight',
  max_input_tokens: 'field.maxInputTokens',
  auto_ban: 'field.autoBan',
  model_mapping: 'field.mapping',
  status_code_mapping: 'field.statusMapping',
  setting: 'field.setting',
  param_override: 'field.override',
};

/** What a field of a channel is called, and its value as people read it. */
export function useChannelField() {
  const { t } = useTranslation('channel');
  const typeName = useTypeName();
  return (field: string, value: unknown) => ({
    name: t(labels[field] ?? field),
    value: field === 'type' ? typeName(Number(value)) : String(value ?? ''),
  });
}
