import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField, SwitchField, TextField } from '../../components/form/field.tsx';
import { JsonField } from '../../components/form/json-field.tsx';
import { advancedFields, mappingTemplate } from './channel-form.ts';

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
  },
  row: {
    display: 'grid',
    gridTemplateColumns: '1fr 1fr 1fr',
    gap: tokens.spacingHorizontalL,
    '@media (max-width: 600px)': { gridTemplateColumns: '1fr' },
  },
});

/** What most channels leave as it is. */
export function AdvancedFields() {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const [isOpen, setOpen] = useState(false);
  const { errors } = useFormState();
  const models: string[] = useWatch({ name: 'models' });
  const isWrong = advancedFields.some((name) => name in errors);
  return (
    <Accordion
      collapsible
      openItems={isOpen || isWrong ? ['advanced'] : []}
      onToggle={(_event, { openItems }) => setOpen(openItems.length > 0)}
    >
      <AccordionItem value="advanced">
        <AccordionHeader as="h3" className={styles.head}>
          {t('form.advanced')}
        </AccordionHeader>
        <AccordionPanel className={styles.fields}>
          <div className={styles.row}>
            <TextField name="priority" type="number" label={t('field.priority')} hint={t('hint.priority')} />
            <TextField name="weight" type="number" label={t('field.weight')} hint={t('hint.weight')} />
            <TextField name="tag" label={t('field.tag')} hint={t('hint.tag')} />
          </div>
          <SelectField
            name="test_model"
            label={t('field.testModel')}
            choices={[
              { value: '', text: t('form.firstModel') },
              ...models.slice(0, maxOffered).map((name) => ({ value: name, text: name })),
            ]}
          />
          <SwitchField name="auto_ban" label={t('field.autoBan')} />
          <TextField
            name="max_input_tokens"
            type="number"
            label={t('field.maxInputTokens')}
            hint={t('hint.maxInputTokens')}
          />
          <JsonField
            name="model_mapping"
            label={t('field.mapping')}
            hint={t('hint.mapping')}
            template={mappingTemplate}
          />
          <JsonField
            name="status_code_mapping"
            label={t('field.statusMapping')}
            hint={t('hint.statusMapping')}
            template={statusTemplate}
          />
          <JsonField name="setting" label={t('field.setting')} hint={t('hint.setting')} template={settingTemplate} />
          <JsonField
            name="param_override"
            label={t('field.override')}
            hint={t('hint.override')}
            template={overrideTemplate}
          />
        </AccordionPanel>
      </AccordionItem>
    </Accordion>
  );
}
