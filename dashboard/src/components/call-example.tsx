import { Field, Input, makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePublicAddress } from '../api/status.ts';
import { type SnippetName, snippet, snippetNames } from './call-snippet.ts';
import { CodeBlock } from './code-block.tsx';
import { useCopy } from './feedback/copy.tsx';
import { IconButton } from './icon-button.tsx';

const useStyles = makeStyles({
  example: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
  address: { fontFamily: tokens.fontFamilyMonospace, width: '100%' },
});

interface CallExampleProps {
  /** The whole key; without one the example shows where it goes. */
  apiKey?: string;
  model?: string;
}

/** Where to call, and how: ready to paste. Stands in a card. */
export function CallExample({ apiKey = 'sk-…', model = 'gpt-4o-mini' }: CallExampleProps) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const copy = useCopy();
  const [name, setName] = useState<SnippetName>('curl');
  const baseUrl = `${usePublicAddress()}/v1`;
  return (
    <div className={styles.example}>
      <Field label={t('example.baseUrl')}>
        <Input
          readOnly
          className={styles.address}
          value={baseUrl}
          contentAfter={
            <IconButton
              size="small"
              label={t('example.copyBaseUrl')}
              icon={<Copy20Regular />}
              onClick={() => void copy(baseUrl)}
            />
          }
        />
      </Field>
      <TabList
        size="small"
        selectedValue={name}
        aria-label={t('example.programs')}
        onTabSelect={(_event, { value }) => setName(snippetNames.find((one) => one === value) ?? 'curl')}
      >
        {snippetNames.map((one) => (
          <Tab key={one} value={one}>
            {one}
          </Tab>
        ))}
      </TabList>
      <CodeBlock code={snippet(name, { key: apiKey, baseUrl, model })} label={t('example.copy')} />
    </div>
  );
}
