import { Card, Field, Input, makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePublicAddress } from '../../api/status.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { useCopy } from '../../components/feedback/copy.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { type SnippetName, snippet, snippetNames } from '../token/snippet.ts';

const useStyles = makeStyles({
  card: { gap: tokens.spacingVerticalM, padding: tokens.spacingHorizontalXL, minWidth: 0 },
  address: { fontFamily: tokens.fontFamilyMonospace, width: '100%' },
});

/** Where to call, and how: ready to paste but for the key. */
export function FirstCall() {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const copy = useCopy();
  const [name, setName] = useState<SnippetName>('curl');
  const baseUrl = `${usePublicAddress()}/v1`;
  return (
    <Card className={styles.card}>
      <Field label={t('call.baseUrl')}>
        <Input
          readOnly
          className={styles.address}
          value={baseUrl}
          contentAfter={
            <IconButton
              size="small"
              label={t('call.copyBaseUrl')}
              icon={<Copy20Regular />}
              onClick={() => void copy(baseUrl)}
            />
          }
        />
      </Field>
      <TabList
        size="small"
        selectedValue={name}
        aria-label={t('call.programs')}
        onTabSelect={(_event, { value }) => setName(snippetNames.find((one) => one === value) ?? 'curl')}
      >
        {snippetNames.map((one) => (
          <Tab key={one} value={one}>
            {one}
          </Tab>
        ))}
      </TabList>
      <CodeBlock code={snippet(name, { key: 'sk-…', baseUrl, model: 'gpt-4o-mini' })} label={t('call.copy')} />
    </Card>
  );
}
