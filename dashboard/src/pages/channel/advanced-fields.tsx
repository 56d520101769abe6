import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { SelectField, SwitchField, TextField } from '../../components/form/field.tsx';
import { JsonField } from '../../components/form/json-field.tsx';
import { type AdvancedSection, advancedFields, mappingTemplate } from './channel-form.ts';

/** More would make the list slow; another one is set as the first of the models. */
const maxOffered = 100;

const statusTemplate = { 400: 500 };
const settingTemplate = { force_format: true };
const overrideTemplate = { temperature: 0 };

const useStyles = makeStyles({
  // In line with the fields above.
  head: { '& button': { paddingLeft: 0 } },
  fields: {
    margin: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    paddingTop: tokens.spacingVerticalS,
    paddingBottom: tokens.spacingVerticalM,
  },
  row: {
    display: 'grid',
    gridTemplateColumns: '1fr 1fr',
    gap: tokens.spacingHorizontalL,
    '@media (max-width: 600px)': { gridTemplateColumns: '1fr' },
  },
});

/** What most channels leave as it is, in sections that open. */
export function AdvancedFields() {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const [opened, setOpened] = useState<AdvancedSection[]>([]);
  const { errors } = useFormState();
  const sections = Object.keys(advancedFields) as AdvancedSection[];
  const wrong = sections.filter((section) => advancedFields[section].some((name) => name in errors));
  const fields: Record<AdvancedSection, ReactNode> = {
    routing: <RoutingFields />,
    override: <OverrideFields />,
    limit: (
      <TextField
        name="max_input_tokens"
        type="number"
        label={t('field.maxInputTokens')}
        hint={t('hint.maxInputTokens')}
      />
    ),
  };
  return (
    <Accordion
      collapsible
      multiple
      openItems={[...new Set([...opened, ...wrong])]}
      onToggle={(_event, { openItems }) => setOpened(openItems as AdvancedSection[])}
    >
      {sections.map((section) => (
        <AccordionItem key={section} value={section}>
          <AccordionHeader as="h3" className={styles.head}>
            {t(`section.${section}`)}
          </AccordionHeader>
          <AccordionPanel className={styles.fields}>{fields[section]}</AccordionPanel>
        </AccordionItem>
      ))}
    </Accordion>
  );
}

function RoutingFields() {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const models: string[] = useWatch({ name: 'models' });
  return (
    <>
      <div className={styles.row}>
        <TextField name="priority" type="number" label={t('field.priority')} hint={t('hint.priority')} />
        <TextField name="weight" type="number" label={t('field.weight')} hint={t('hint.weight')} />
      </div>
      <TextField name="tag" label={t('field.tag')} hint={t('hint.tag')} />
      <SelectField
        name="test_model"
        label={t('field.testModel')}
        choices={[
          { value: '', text: t('form.firstModel') },
          ...models.slice(0, maxOffered).map((name) => ({ value: name, text: name })),
        ]}
      />
      <SwitchField name="auto_ban" label={t('field.autoBan')} />
    </>
  );
}

function OverrideFields() {
  const { t } = useTranslation('channel');
  const type: number = useWatch({ name: 'type' });
  return (
    <>
      <JsonField name="model_mapping" label={t('field.mapping')} hint={t('hint.mapping')} template={mappingTemplate} />
      <JsonField
        name="status_code_mapping"
        label={t('field.statusMapping')}
        hint={t('hint.statusMapping')}
        template={statusTemplate}
      />
      <JsonField
        name="param_override"
        label={t('field.override')}
        hint={t('hint.override')}
        template={overrideTemplate}
      />
      <JsonField name="setting" label={t('field.setting')} hint={t('hint.setting')} template={settingTemplate} />
      {channelTypeOf(type)?.hasOrganization && (
        <TextField name="openai_organization" label={t('field.organization')} hint={t('hint.organization')} />
      )}
    </>
  );
}
