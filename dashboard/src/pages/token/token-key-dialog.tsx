import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  makeStyles,
  Tab,
  TabList,
  tokens,
} from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../../../core/schemas/token.ts';
import { usePublicAddress } from '../../api/status.ts';
import { type SnippetName, snippet, snippetNames } from '../../components/call-snippet.ts';
import { useCopy } from '../../components/feedback/copy.tsx';

const useStyles = makeStyles({
  title: { overflowWrap: 'anywhere' },
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  mono: { fontFamily: tokens.fontFamilyMonospace },
  code: {
    margin: 0,
    padding: tokens.spacingHorizontalM,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase300,
    overflowX: 'auto',
    maxHeight: '240px',
  },
});

/** The whole key and ready programs that use it. */
export function TokenKeyDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const { t } = useTranslation('token');
  const styles = useStyles();
  const copy = useCopy();
  const [name, setName] = useState<SnippetName>('curl');
  const key = `sk-${token.key}`;
  const baseUrl = `${usePublicAddress()}/v1`;
  const code = snippet(name, { key, baseUrl, model: token.model_limits.split(',')[0] || 'gpt-4o-mini' });
  const copyButton = (text: string, label: string) => (
    <Button
      appearance="transparent"
      size="small"
      icon={<Copy20Regular />}
      aria-label={label}
      onClick={() => copy(text)}
    />
  );
  return (
    <Dialog open onOpenChange={(_event, { open }) => open || onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle className={styles.title}>{t('key.title', { name: token.name })}</DialogTitle>
          <DialogContent className={styles.content}>
            <Field label={t('field.key')}>
              <Input readOnly className={styles.mono} value={key} contentAfter={copyButton(key, t('action.copy'))} />
            </Field>
            <Field label={t('key.baseUrl')}>
              <Input
                readOnly
                className={styles.mono}
                value={baseUrl}
                contentAfter={copyButton(baseUrl, t('key.copyBaseUrl'))}
              />
            </Field>
            <TabList
              size="small"
              selectedValue={name}
              aria-label={t('key.programs')}
              onTabSelect={(_event, { value }) => setName(snippetNames.find((one) => one === value) ?? 'curl')}
            >
              {snippetNames.map((one) => (
                <Tab key={one} value={one}>
                  {one}
                </Tab>
              ))}
            </TabList>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard */}
            <pre className={styles.code} tabIndex={0}>
              {code}
            </pre>
          </DialogContent>
          <DialogActions>
            <Button icon={<Copy20Regular />} onClick={() => copy(code)}>
              {t('key.copyProgram')}
            </Button>
            <Button appearance="primary" onClick={onClose}>
              {t('shell:action.close')}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
